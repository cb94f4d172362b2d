DROP INDEX `retranslated_tracker_pending`;--> statement-breakpoint
CREATE INDEX `retranslated_tracker_pending` ON `retranslated_tracker` (`account_id`,`tracker_id`) WHERE pending;--> statement-breakpoint
DROP INDEX `service_task_file_expires`;--> statement-breakpoint
CREATE INDEX `service_task_file_expires` ON `service_task_file` (`account_id`,`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
DROP INDEX `tag_removing`;--> statement-breakpoint
CREATE INDEX `tag_removing` ON `tag` (`account_id`,`id`) WHERE removing;--> statement-breakpoint
ALTER TABLE `outbox` ADD `account_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_account` ON `outbox` (`account_id`);--> statement-breakpoint
CREATE INDEX `tracker_removal_account` ON `tracker_removal` (`account_id`);