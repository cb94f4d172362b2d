CREATE TABLE `push_delivery` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`push_event_id` integer NOT NULL,
	`key` text NOT NULL,
	`is_over` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_delivery_event_key` ON `push_delivery` (`push_event_id`,`key`);--> statement-breakpoint
CREATE INDEX `push_delivery_open` ON `push_delivery` (`key`,`id`) WHERE is_over = 0;--> statement-breakpoint
CREATE TABLE `push_event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`category` text NOT NULL,
	`entry` text NOT NULL,
	`stored` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_event_event_id_unique` ON `push_event` (`event_id`);--> statement-breakpoint
CREATE INDEX `push_event_stored` ON `push_event` (`stored`);--> statement-breakpoint
ALTER TABLE `push_token` ADD `due` integer;--> statement-breakpoint
ALTER TABLE `push_token` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `push_token_due` ON `push_token` (`due`) WHERE due IS NOT NULL;