CREATE TABLE `gone_account` (
	`account_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `import_process` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`filename` text NOT NULL,
	`headers` text NOT NULL,
	`user_headers` text,
	`status` text NOT NULL,
	`created` integer NOT NULL,
	`status_change_date` integer NOT NULL,
	`total_lines` integer NOT NULL,
	`processed_lines` integer NOT NULL,
	`imported` integer NOT NULL,
	`failed` integer NOT NULL,
	`attempts` integer NOT NULL,
	`importer` text NOT NULL,
	`actor` text NOT NULL,
	`token` text,
	`given` text,
	`base_id` integer
);
--> statement-breakpoint
CREATE INDEX `import_process_account` ON `import_process` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `import_process_status` ON `import_process` (`status`,`status_change_date`);--> statement-breakpoint
CREATE UNIQUE INDEX `import_process_open` ON `import_process` (`account_id`,`type`,`filename`,`headers`) WHERE status IN ('created', 'in_progress');--> statement-breakpoint
CREATE TABLE `import_remark` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`process_id` integer NOT NULL,
	`kind` text NOT NULL,
	`line` integer NOT NULL,
	`message` text NOT NULL,
	`text` text
);
--> statement-breakpoint
CREATE INDEX `import_remark_process` ON `import_remark` (`process_id`,`kind`,`line`);--> statement-breakpoint
CREATE INDEX `import_remark_account` ON `import_remark` (`account_id`);