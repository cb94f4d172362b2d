CREATE TABLE `service_task_file` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`state` text NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `service_task_file_account` ON `service_task_file` (`account_id`);--> statement-breakpoint
CREATE INDEX `service_task_file_expires` ON `service_task_file` (`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
ALTER TABLE `service_task` ADD `file_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `service_task_with_files` ON `service_task` (`account_id`) WHERE file_ids <> '[]';