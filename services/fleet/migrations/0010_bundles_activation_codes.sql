CREATE TABLE `activation_code` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`code` text NOT NULL,
	`tariff_id` integer NOT NULL,
	`bonus_amount` real NOT NULL,
	`free_days` integer NOT NULL,
	`created` integer NOT NULL,
	`used` integer,
	`account_id` integer,
	`source_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activation_code_code_unique` ON `activation_code` (`code`);--> statement-breakpoint
CREATE INDEX `activation_code_dealer` ON `activation_code` (`dealer_id`,`id`);--> statement-breakpoint
CREATE TABLE `bundle` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`imei` text NOT NULL,
	`equip_id` integer NOT NULL,
	`model` text NOT NULL,
	`factory_preset` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bundle_imei_unique` ON `bundle` (`imei`);--> statement-breakpoint
ALTER TABLE `source` ADD `tariff_changed` integer;