CREATE TABLE `status_listing` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`employee_controlled` integer NOT NULL,
	`supervisor_controlled` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_listing_account` ON `status_listing` (`account_id`);--> statement-breakpoint
CREATE TABLE `status` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`listing_id` integer NOT NULL,
	`label` text NOT NULL,
	`color` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_listing_position` ON `status` (`account_id`,`listing_id`,`position`);--> statement-breakpoint
CREATE TABLE `status_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`old_status_id` integer,
	`new_status_id` integer,
	`location` text,
	`changed` integer NOT NULL,
	`origin` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_change_tracker` ON `status_change` (`account_id`,`tracker_id`,`id`);