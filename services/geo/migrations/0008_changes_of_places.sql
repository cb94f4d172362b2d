CREATE TABLE `place_change` (
	`account_id` integer NOT NULL,
	`place_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`changed` integer NOT NULL,
	PRIMARY KEY(`account_id`, `place_id`, `sub_user_id`)
);
--> statement-breakpoint
CREATE INDEX `place_change_revision` ON `place_change` (`account_id`,`sub_user_id`,`revision`);--> statement-breakpoint
CREATE INDEX `place_change_changed` ON `place_change` (`changed`);--> statement-breakpoint
CREATE TABLE `place_revision` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`forgotten` integer NOT NULL
);
