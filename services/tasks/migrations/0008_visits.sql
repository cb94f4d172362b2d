CREATE TABLE `task_visit` (
	`task_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_visit_account` ON `task_visit` (`account_id`);--> statement-breakpoint
CREATE TABLE `tracker_work` (
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`account_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `tracker_work_revision` ON `tracker_work` (`account_id`,`revision`);--> statement-breakpoint
ALTER TABLE `task_history` ADD `event_id` text;--> statement-breakpoint
CREATE INDEX `task_tracker_deadline` ON `task` (`account_id`,`tracker_id`,`deadline`) WHERE deadline IS NOT NULL;