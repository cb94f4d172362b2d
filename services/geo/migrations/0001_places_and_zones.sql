CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sub_user_access` (
	`account_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`sub_user_id`, `type`)
);
--> statement-breakpoint
CREATE INDEX `sub_user_access_account` ON `sub_user_access` (`account_id`);--> statement-breakpoint
CREATE TABLE `sub_user_binding` (
	`account_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`type` text NOT NULL,
	`thing_id` integer NOT NULL,
	`assigned_date` integer NOT NULL,
	PRIMARY KEY(`sub_user_id`, `type`, `thing_id`)
);
--> statement-breakpoint
CREATE INDEX `sub_user_binding_account` ON `sub_user_binding` (`account_id`,`type`,`thing_id`);--> statement-breakpoint
CREATE TABLE `removed_tag` (
	`tag_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `zone` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`type` text NOT NULL,
	`label` text NOT NULL,
	`label_folded` text NOT NULL,
	`address` text NOT NULL,
	`color` text NOT NULL,
	`radius` integer,
	`south` real NOT NULL,
	`west` real NOT NULL,
	`north` real NOT NULL,
	`east` real NOT NULL,
	`point_count` integer NOT NULL,
	`cell` integer NOT NULL,
	`cells` text
);
--> statement-breakpoint
CREATE INDEX `zone_account` ON `zone` (`account_id`);--> statement-breakpoint
CREATE INDEX `zone_account_cell` ON `zone` (`account_id`,`cell`);--> statement-breakpoint
CREATE TABLE `zone_outline` (
	`zone_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`points` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `zone_outline_account` ON `zone_outline` (`account_id`);