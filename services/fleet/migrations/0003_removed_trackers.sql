CREATE TABLE `removed_tracker` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`dealer_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`clone` integer NOT NULL,
	`label` text NOT NULL,
	`group_id` integer NOT NULL,
	`comment` text NOT NULL,
	`device_id` text NOT NULL,
	`model` text NOT NULL,
	`blocked` integer NOT NULL,
	`tariff_id` integer NOT NULL,
	`creation_date` integer NOT NULL,
	`phone` text,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `removed_tracker_account` ON `removed_tracker` (`account_id`);--> statement-breakpoint
CREATE INDEX `removed_tracker_source` ON `removed_tracker` (`source_id`,`clone`);--> statement-breakpoint
ALTER TABLE `tracker` ADD `comment` text DEFAULT '' NOT NULL;