CREATE TABLE `retranslated_tracker` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `retranslated_tracker_account` ON `retranslated_tracker` (`account_id`,`pending`);--> statement-breakpoint
CREATE INDEX `retranslated_tracker_pending` ON `retranslated_tracker` (`pending`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `tracker_retranslator` (
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`retranslator_id` integer NOT NULL,
	`fake_device_id` text,
	PRIMARY KEY(`account_id`, `tracker_id`, `retranslator_id`)
);
--> statement-breakpoint
CREATE INDEX `tracker_retranslator_retranslator` ON `tracker_retranslator` (`account_id`,`retranslator_id`);--> statement-breakpoint
CREATE TABLE `retranslator` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`protocol_id` integer NOT NULL,
	`address` text NOT NULL,
	`port` integer NOT NULL,
	`login` text NOT NULL,
	`password` text,
	`enabled` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `retranslator_account_receiver` ON `retranslator` (`account_id`,`address`,`port`,`login`);