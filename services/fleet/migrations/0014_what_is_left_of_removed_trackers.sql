ALTER TABLE `removed_tracker` ADD `removed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `removed_tracker` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `removed_tracker_kept` ON `removed_tracker` (`account_id`,`removed_at`) WHERE is_erased = 0;--> statement-breakpoint
-- When they were removed nobody has noted: their time begins now.
UPDATE `removed_tracker` SET `removed_at` = unixepoch() * 1000;
