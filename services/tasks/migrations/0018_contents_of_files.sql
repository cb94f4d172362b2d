ALTER TABLE `file` ADD `name` text;--> statement-breakpoint
ALTER TABLE `file` ADD `size` integer;--> statement-breakpoint
ALTER TABLE `file` ADD `mime_type` text;