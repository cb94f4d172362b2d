CREATE TABLE `event_sequence` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL,
	`last_stored` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event` (
	`account_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`time` integer NOT NULL,
	`user_id` integer,
	`tracker_id` integer,
	`private_to` integer,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`stored` integer NOT NULL,
	PRIMARY KEY(`account_id`, `sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_event_id_unique` ON `event` (`event_id`);--> statement-breakpoint
CREATE INDEX `event_account_stored` ON `event` (`account_id`,`stored`,`sequence`);--> statement-breakpoint
ALTER TABLE `audit` ADD `event_type` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `event_tracker_id` integer;