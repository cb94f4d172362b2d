CREATE TABLE `activity` (
	`activity_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`event` text NOT NULL,
	`time` integer NOT NULL,
	`status_id` integer,
	`is_repeated` integer DEFAULT false NOT NULL,
	`extra` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_account` ON `activity` (`account_id`);--> statement-breakpoint
CREATE TABLE `gauge_change` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
