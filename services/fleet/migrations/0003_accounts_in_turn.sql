DROP INDEX `event_untold`;--> statement-breakpoint
CREATE INDEX `event_untold` ON `event` (`account_id`,`id`) WHERE untold_since IS NOT NULL;--> statement-breakpoint
DROP INDEX `service_task_due`;--> statement-breakpoint
DROP INDEX `service_task_checked`;--> statement-breakpoint
CREATE INDEX `service_task_due` ON `service_task` (`account_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `service_task_checked` ON `service_task` (`account_id`,`checked_at`) WHERE checked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE INDEX `mail_outbox_account` ON `mail_outbox` (`account_id`);