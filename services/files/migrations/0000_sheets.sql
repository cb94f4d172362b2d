CREATE TABLE `sheet` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`rows` integer NOT NULL,
	`expires` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sheet_file_id_unique` ON `sheet` (`file_id`);--> statement-breakpoint
CREATE INDEX `sheet_account` ON `sheet` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sheet_expires` ON `sheet` (`expires`);