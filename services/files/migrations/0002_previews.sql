ALTER TABLE `file` ADD `preview_state` text;--> statement-breakpoint
ALTER TABLE `file` ADD `previews_due` integer;--> statement-breakpoint
ALTER TABLE `file` ADD `preview_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `file_previews_due` ON `file` (`account_id`,`previews_due`) WHERE previews_due IS NOT NULL;--> statement-breakpoint
UPDATE `file` SET preview_state = 'waiting', previews_due = 0 WHERE state = 'uploaded' AND mime_type LIKE 'image/%';
