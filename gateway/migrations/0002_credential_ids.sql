ALTER TABLE `credential` ADD `id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `credential` SET `id` = abs(random() >> 17);--> statement-breakpoint
ALTER TABLE `credential` ADD `host` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `credential` ADD `user_agent` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `credential` ADD `maker_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `credential_id_unique` ON `credential` (`id`);--> statement-breakpoint
CREATE INDEX `credential_maker` ON `credential` (`maker_key`);--> statement-breakpoint
ALTER TABLE `mail` ADD `secret` text;