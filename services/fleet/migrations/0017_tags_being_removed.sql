ALTER TABLE `tag` ADD `removing` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `tag_removing` ON `tag` (`id`) WHERE "tag"."removing";