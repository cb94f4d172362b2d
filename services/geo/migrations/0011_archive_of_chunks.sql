CREATE TABLE `archive_leftover` (
	`key` text PRIMARY KEY NOT NULL,
	`found` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_round` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_turn` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `chunk` ADD `object` integer;--> statement-breakpoint
ALTER TABLE `chunk` ADD `object_offset` integer;--> statement-breakpoint
CREATE INDEX `chunk_unarchived` ON `chunk` (`account_id`,`tracker_id`,`to`) WHERE object IS NULL;--> statement-breakpoint
CREATE INDEX `chunk_object` ON `chunk` (`object`) WHERE object IS NOT NULL;