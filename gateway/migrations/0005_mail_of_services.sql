ALTER TABLE `mail` ADD `event_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `mail_event_id_unique` ON `mail` (`event_id`);