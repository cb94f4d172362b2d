DROP INDEX `removed_tracker_pending`;--> statement-breakpoint
CREATE INDEX `removed_tracker_pending` ON `removed_tracker` (`account_id`,`tracker_id`) WHERE pending;