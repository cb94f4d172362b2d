CREATE TABLE `file` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`owner` text NOT NULL,
	`type` text NOT NULL,
	`filename` text,
	`metadata` text NOT NULL,
	`size` integer NOT NULL,
	`mime_type` text,
	`state` text NOT NULL,
	`created` integer NOT NULL,
	`uploaded` integer,
	`key` text,
	`expires` integer,
	`untold_since` integer
);
--> statement-breakpoint
CREATE INDEX `file_held` ON `file` (`account_id`,`expires`,`size`,`state`);--> statement-breakpoint
CREATE INDEX `file_expires` ON `file` (`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_untold` ON `file` (`untold_since`) WHERE untold_since IS NOT NULL;--> statement-breakpoint
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