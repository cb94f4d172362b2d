ALTER TABLE `event` ADD `untold_since` integer;--> statement-breakpoint
CREATE INDEX `event_untold` ON `event` (`id`) WHERE untold_since IS NOT NULL;