CREATE TABLE `journal_entry` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`employee_id` integer,
	`type` text NOT NULL,
	`comment` text,
	`start_location` text NOT NULL,
	`end_location` text NOT NULL,
	`length` real NOT NULL,
	`start_odometer` real,
	`end_odometer` real,
	`start_address_folded` text NOT NULL,
	`end_address_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_entry_tracker` ON `journal_entry` (`account_id`,`tracker_id`,`start_date`,`end_date`);--> statement-breakpoint
ALTER TABLE `employee` ADD `name_folded` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE `employee` SET `name_folded` = lower(`last_name` || ' ' || `first_name` || ' ' || `middle_name`);