CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE TABLE `avatar` (
	`name` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`owner` text NOT NULL,
	`size` integer NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `avatar_account` ON `avatar` (`account_id`,`size`);--> statement-breakpoint
CREATE INDEX `avatar_expires` ON `avatar` (`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE TABLE `archive_leftover` (
	`key` text PRIMARY KEY NOT NULL,
	`found` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_progress` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chunk` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`from` integer NOT NULL,
	`from_lat` real NOT NULL,
	`from_lng` real NOT NULL,
	`to` integer NOT NULL,
	`to_lat` real NOT NULL,
	`to_lng` real NOT NULL,
	`count` integer NOT NULL,
	`lbs_count` integer NOT NULL,
	`length` real NOT NULL,
	`max_speed` real NOT NULL,
	`south` real NOT NULL,
	`west` real NOT NULL,
	`north` real NOT NULL,
	`east` real NOT NULL,
	`bytes` integer NOT NULL,
	`flush` integer NOT NULL,
	`part` integer NOT NULL,
	`data` blob NOT NULL,
	`object` integer,
	`object_offset` integer
);
--> statement-breakpoint
CREATE INDEX `chunk_account_tracker_to` ON `chunk` (`account_id`,`tracker_id`,`to`,`from`);--> statement-breakpoint
CREATE UNIQUE INDEX `chunk_account_tracker_flush` ON `chunk` (`account_id`,`tracker_id`,`flush`,`part`);--> statement-breakpoint
CREATE INDEX `chunk_unarchived` ON `chunk` (`account_id`,`tracker_id`,`to`) WHERE object IS NULL;--> statement-breakpoint
CREATE INDEX `chunk_object` ON `chunk` (`object`) WHERE object IS NOT NULL;--> statement-breakpoint
CREATE TABLE `leftover_search` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `retention_progress` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tracker_database` (
	`position` integer PRIMARY KEY NOT NULL,
	`first_tracker_id` integer NOT NULL,
	`mark` text NOT NULL,
	`is_here` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device` (
	`device_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_account` ON `device` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `gazetteer_edition` (
	`edition` text PRIMARY KEY NOT NULL,
	`least` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `gazetteer_place` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`province` text,
	`province_folded` text,
	`population` integer NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`cell` integer NOT NULL,
	`block` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `gazetteer_place_cell` ON `gazetteer_place` (`cell`);--> statement-breakpoint
CREATE INDEX `gazetteer_place_block` ON `gazetteer_place` (`block`) WHERE population >= 15000;--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `custom_field` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`required` integer NOT NULL,
	`description` text NOT NULL,
	`responsible` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_field_account_label` ON `custom_field` (`account_id`,`label`);--> statement-breakpoint
CREATE TABLE `entity_layout` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`sections` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `place_change` (
	`account_id` integer NOT NULL,
	`place_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`changed` integer NOT NULL,
	PRIMARY KEY(`account_id`, `place_id`, `sub_user_id`)
);
--> statement-breakpoint
CREATE INDEX `place_change_revision` ON `place_change` (`account_id`,`sub_user_id`,`revision`);--> statement-breakpoint
CREATE INDEX `place_change_changed` ON `place_change` (`changed`);--> statement-breakpoint
CREATE TABLE `place_revision` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`forgotten` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `place` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`label` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`radius` integer NOT NULL,
	`cell` integer NOT NULL,
	`icon_id` integer,
	`avatar_file_name` text,
	`external_id` text,
	`address` text NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`address_folded` text NOT NULL,
	`external_id_folded` text,
	`searched` text NOT NULL,
	`searched_fields` text NOT NULL,
	`bytes` integer NOT NULL,
	`field_bytes` integer NOT NULL,
	`description` text NOT NULL,
	`fields` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `place_account` ON `place` (`account_id`);--> statement-breakpoint
CREATE INDEX `place_account_cell` ON `place` (`account_id`,`cell`);--> statement-breakpoint
CREATE INDEX `place_account_external` ON `place` (`account_id`,`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `place_account_label` ON `place` (`account_id`,`label_folded`);--> statement-breakpoint
CREATE INDEX `place_account_searched` ON `place` (`account_id`,`searched`,`searched_fields`);--> statement-breakpoint
CREATE TABLE `removed_tag` (
	`tag_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rule_revision` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`time_zone` text NOT NULL,
	`zone_revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rule_tracker` (
	`account_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `rule_tracker_account` ON `rule_tracker` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `rule_zone` (
	`account_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`zone_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `zone_id`)
);
--> statement-breakpoint
CREATE INDEX `rule_zone_account` ON `rule_zone` (`account_id`,`zone_id`);--> statement-breakpoint
CREATE TABLE `rule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`author_id` integer NOT NULL,
	`private_to` integer,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`primary_text` text NOT NULL,
	`secondary_text` text NOT NULL,
	`param` integer NOT NULL,
	`alerts` text NOT NULL,
	`suspended` integer NOT NULL,
	`auto_created` integer NOT NULL,
	`schedule` text NOT NULL,
	`next_interval` integer NOT NULL,
	`extended_params` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rule_account` ON `rule` (`account_id`);--> statement-breakpoint
CREATE TABLE `search_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`things` integer NOT NULL,
	`bytes` integer NOT NULL
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
CREATE TABLE `zone_outline` (
	`zone_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`points` text NOT NULL,
	`holes` text
);
--> statement-breakpoint
CREATE INDEX `zone_outline_account` ON `zone_outline` (`account_id`);--> statement-breakpoint
CREATE TABLE `zone` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `zone_account_cell` ON `zone` (`account_id`,`cell`);