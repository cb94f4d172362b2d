CREATE TABLE `tag_binding` (
	`entity_type` text NOT NULL,
	`entity_id` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	PRIMARY KEY(`entity_type`, `entity_id`, `ordinal`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tag_binding_account_tag` ON `tag_binding` (`account_id`,`tag_id`,`entity_type`,`entity_id`);--> statement-breakpoint
CREATE TABLE `tag` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`color` text NOT NULL,
	`avatar_file_name` text
);
--> statement-breakpoint
CREATE INDEX `tag_account` ON `tag` (`account_id`);--> statement-breakpoint
CREATE TABLE `tracker_group` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`title` text NOT NULL,
	`color` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracker_group_account` ON `tracker_group` (`account_id`);