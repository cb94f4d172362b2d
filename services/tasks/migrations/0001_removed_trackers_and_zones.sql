CREATE TABLE `account_zone` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`revision` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_zone_pending` ON `account_zone` (`account_id`) WHERE pending;--> statement-breakpoint
CREATE TABLE `removed_tracker` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `removed_tracker_pending` ON `removed_tracker` (`tracker_id`) WHERE pending;--> statement-breakpoint
DROP INDEX `task_schedule_next_run`;--> statement-breakpoint
ALTER TABLE `task_schedule` ADD `paused` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `task_schedule_account_tracker` ON `task_schedule` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE INDEX `task_schedule_next_run` ON `task_schedule` (`next_run`) WHERE NOT paused;