DROP INDEX `file_expires`;--> statement-breakpoint
DROP INDEX `file_untold`;--> statement-breakpoint
ALTER TABLE `file` ADD `digest` text;--> statement-breakpoint
ALTER TABLE `file` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `file` ADD `look_at` integer;--> statement-breakpoint
CREATE INDEX `file_expires_of_account` ON `file` (`account_id`,`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_untold_of_account` ON `file` (`account_id`,`untold_since`) WHERE untold_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_look` ON `file` (`account_id`,`look_at`) WHERE look_at IS NOT NULL;