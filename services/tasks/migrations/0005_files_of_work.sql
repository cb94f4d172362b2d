CREATE TABLE `file` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`owner` text NOT NULL,
	`state` text NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `file_account` ON `file` (`account_id`);--> statement-breakpoint
CREATE INDEX `file_expires` ON `file` (`account_id`,`expires`) WHERE expires IS NOT NULL;