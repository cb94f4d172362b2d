CREATE TABLE `record_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`thing_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_queue_thing` ON `record_queue` (`kind`,`thing_id`);--> statement-breakpoint
CREATE INDEX `record_queue_account` ON `record_queue` (`account_id`);--> statement-breakpoint
CREATE TABLE `record` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`place` integer NOT NULL,
	`kind` text NOT NULL,
	`thing_id` integer NOT NULL,
	`token` text NOT NULL,
	`content` text NOT NULL,
	`previous` text,
	`hash` text NOT NULL,
	`signature` text NOT NULL,
	`made` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_account_place` ON `record` (`account_id`,`place`);--> statement-breakpoint
CREATE UNIQUE INDEX `record_token` ON `record` (`token`);--> statement-breakpoint
CREATE INDEX `record_thing` ON `record` (`kind`,`thing_id`);