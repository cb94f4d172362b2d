CREATE TABLE `menu` (
	`dealer_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`application` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`dealer_id`, `user_id`, `application`)
);
--> statement-breakpoint
ALTER TABLE `dealer` ADD `parent_id` integer;--> statement-breakpoint
ALTER TABLE `dealer` ADD `email` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `jur_name` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `jur_country` text;--> statement-breakpoint
ALTER TABLE `user` ADD `totp_step` integer;