CREATE TABLE `sync_item` (
	`user_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`account_id` integer NOT NULL,
	`operation` text NOT NULL,
	`time` integer NOT NULL,
	`received` integer NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`user_id`, `uuid`)
);
--> statement-breakpoint
CREATE INDEX `sync_item_account` ON `sync_item` (`account_id`);--> statement-breakpoint
CREATE INDEX `sync_item_received` ON `sync_item` (`received`);--> statement-breakpoint
ALTER TABLE `checkin` ADD `received` integer;