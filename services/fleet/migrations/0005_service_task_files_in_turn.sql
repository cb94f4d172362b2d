DROP INDEX `service_task_file_expires`;--> statement-breakpoint
CREATE INDEX `service_task_file_expires_of_account` ON `service_task_file` (`account_id`,`expires`) WHERE expires IS NOT NULL;