DROP INDEX `task_schedule_next_run`;--> statement-breakpoint
CREATE INDEX `task_schedule_next_run` ON `task_schedule` (`account_id`,`next_run`) WHERE NOT paused;--> statement-breakpoint
DROP INDEX `task_deadline`;--> statement-breakpoint
CREATE INDEX `task_deadline` ON `task` (`account_id`,`deadline`) WHERE status IN ('assigned', 'arrived');--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE INDEX `event_outbox_account` ON `event_outbox` (`account_id`);