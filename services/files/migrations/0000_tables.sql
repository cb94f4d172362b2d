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
	`digest` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`cleanup_due` integer,
	`expires` integer,
	`undelivered_since` integer,
	`preview_state` text,
	`previews_due` integer,
	`preview_tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_held` ON `file` (`account_id`,`expires`,`size`,`state`);--> statement-breakpoint
CREATE INDEX `file_expires_of_account` ON `file` (`account_id`,`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_undelivered_of_account` ON `file` (`account_id`,`undelivered_since`) WHERE undelivered_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_cleanup_due` ON `file` (`account_id`,`cleanup_due`) WHERE cleanup_due IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_previews_due` ON `file` (`account_id`,`previews_due`) WHERE previews_due IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sheet` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`rows` integer NOT NULL,
	`expires` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sheet_file_id_unique` ON `sheet` (`file_id`);--> statement-breakpoint
CREATE INDEX `sheet_user` ON `sheet` (`account_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sheet_expires` ON `sheet` (`expires`);