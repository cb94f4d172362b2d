ALTER TABLE `dealer` ADD `parent_id` integer;--> statement-breakpoint
ALTER TABLE `dealer` ADD `email` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `jur_name` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `jur_country` text;--> statement-breakpoint
ALTER TABLE `user` ADD `totp_step` integer;