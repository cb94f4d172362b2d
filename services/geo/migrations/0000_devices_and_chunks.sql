CREATE TABLE `chunk` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`from` integer NOT NULL,
	`from_lat` real NOT NULL,
	`from_lng` real NOT NULL,
	`to` integer NOT NULL,
	`to_lat` real NOT NULL,
	`to_lng` real NOT NULL,
	`count` integer NOT NULL,
	`lbs_count` integer NOT NULL,
	`length` real NOT NULL,
	`max_speed` real NOT NULL,
	`south` real NOT NULL,
	`west` real NOT NULL,
	`north` real NOT NULL,
	`east` real NOT NULL,
	`bytes` integer NOT NULL,
	`flush` integer NOT NULL,
	`part` integer NOT NULL,
	`data` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chunk_account_tracker_to` ON `chunk` (`account_id`,`tracker_id`,`to`,`from`);--> statement-breakpoint
CREATE UNIQUE INDEX `chunk_account_tracker_flush` ON `chunk` (`account_id`,`tracker_id`,`flush`,`part`);--> statement-breakpoint
CREATE TABLE `device` (
	`device_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_account` ON `device` (`account_id`,`tracker_id`);