DROP INDEX `task_schedule_next_run`;--> statement-breakpoint
ALTER TABLE `task_schedule` ADD `type` text DEFAULT 'task' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_schedule` ADD `parent_id` integer;--> statement-breakpoint
ALTER TABLE `task_schedule` ADD `order` integer;--> statement-breakpoint
CREATE INDEX `task_schedule_account_parent` ON `task_schedule` (`account_id`,`parent_id`,`order`);--> statement-breakpoint
CREATE INDEX `task_schedule_next_run` ON `task_schedule` (`account_id`,`next_run`) WHERE NOT paused AND parent_id IS NULL;