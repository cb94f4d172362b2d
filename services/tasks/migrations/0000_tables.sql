CREATE TABLE `checkin` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`employee_id` integer,
	`employee_name` text,
	`marker_time` integer NOT NULL,
	`received` integer,
	`location` text NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`comment` text,
	`file_ids` text NOT NULL,
	`employee_folded` text,
	`address_folded` text NOT NULL,
	`comment_folded` text
);
--> statement-breakpoint
CREATE INDEX `checkin_account_time` ON `checkin` (`account_id`,`marker_time`);--> statement-breakpoint
CREATE INDEX `checkin_account_tracker` ON `checkin` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `file` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`state` text NOT NULL,
	`expires` integer,
	`user_id` integer NOT NULL,
	`owner` text NOT NULL,
	`name` text,
	`size` integer,
	`mime_type` text,
	`form_id` integer,
	`field_id` text,
	`checkin_id` integer
);
--> statement-breakpoint
CREATE INDEX `file_account` ON `file` (`account_id`);--> statement-breakpoint
CREATE INDEX `file_form` ON `file` (`form_id`,`field_id`) WHERE form_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_checkin` ON `file` (`checkin_id`) WHERE checkin_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_expires` ON `file` (`account_id`,`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE TABLE `form_template` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`label` text NOT NULL,
	`description` text,
	`version` integer NOT NULL,
	`fields` text NOT NULL,
	`submit_in_zone` integer NOT NULL,
	`default` integer NOT NULL,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `form_template_account` ON `form_template` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `form_template_account_default` ON `form_template` (`account_id`) WHERE "default";--> statement-breakpoint
CREATE TABLE `form` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`task_id` integer,
	`checkin_id` integer,
	`tracker_id` integer,
	`template_id` integer NOT NULL,
	`template_version` integer NOT NULL,
	`label` text NOT NULL,
	`description` text NOT NULL,
	`fields` text NOT NULL,
	`submit_in_zone` integer NOT NULL,
	`created` integer NOT NULL,
	`values` text,
	`submitted` integer,
	`submit_location` text,
	`submit_areas` text,
	`bytes` integer NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`submit_address_folded` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `form_account_task` ON `form` (`account_id`,`task_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `form_account_checkin` ON `form` (`account_id`,`checkin_id`);--> statement-breakpoint
CREATE INDEX `form_account_template` ON `form` (`account_id`,`template_id`);--> statement-breakpoint
CREATE INDEX `form_unnamed` ON `form` (`account_id`,`id`) WHERE task_id IS NOT NULL AND submit_location IS NOT NULL AND submit_areas IS NULL;--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE TABLE `event_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`event` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `event_outbox_account` ON `event_outbox` (`account_id`);--> statement-breakpoint
CREATE TABLE `record_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`thing_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_queue_thing` ON `record_queue` (`kind`,`thing_id`);--> statement-breakpoint
CREATE INDEX `record_queue_account` ON `record_queue` (`account_id`);--> statement-breakpoint
CREATE TABLE `record` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`place` integer NOT NULL,
	`kind` text NOT NULL,
	`thing_id` integer NOT NULL,
	`token` text NOT NULL,
	`content` text NOT NULL,
	`previous` text,
	`hash` text NOT NULL,
	`signature` text NOT NULL,
	`made` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_account_place` ON `record` (`account_id`,`place`);--> statement-breakpoint
CREATE UNIQUE INDEX `record_token` ON `record` (`token`);--> statement-breakpoint
CREATE INDEX `record_thing` ON `record` (`kind`,`thing_id`);--> statement-breakpoint
CREATE TABLE `account_zone` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`revision` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_zone_pending` ON `account_zone` (`account_id`) WHERE pending;--> statement-breakpoint
CREATE TABLE `task_schedule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`tracker_id` integer,
	`type` text DEFAULT 'task' NOT NULL,
	`parent_id` integer,
	`order` integer,
	`label` text NOT NULL,
	`description` text NOT NULL,
	`location` text NOT NULL,
	`from_time` text NOT NULL,
	`duration` integer NOT NULL,
	`max_delay` integer NOT NULL,
	`min_stay_duration` integer NOT NULL,
	`min_arrival_duration` integer NOT NULL,
	`parameters` text NOT NULL,
	`form_template_id` integer,
	`time_zone` text NOT NULL,
	`next_run` integer NOT NULL,
	`paused` integer DEFAULT false NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`address_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_schedule_account` ON `task_schedule` (`account_id`);--> statement-breakpoint
CREATE INDEX `task_schedule_account_tracker` ON `task_schedule` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE INDEX `task_schedule_account_parent` ON `task_schedule` (`account_id`,`parent_id`,`order`);--> statement-breakpoint
CREATE INDEX `task_schedule_next_run` ON `task_schedule` (`account_id`,`next_run`) WHERE NOT paused AND parent_id IS NULL;--> statement-breakpoint
CREATE TABLE `search_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`things` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sync_change` (
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`changed` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`, `id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `sync_change_revision` ON `sync_change` (`account_id`,`revision`);--> statement-breakpoint
CREATE INDEX `sync_change_changed` ON `sync_change` (`changed`);--> statement-breakpoint
CREATE TABLE `sync_item` (
	`user_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`account_id` integer NOT NULL,
	`operation` text NOT NULL,
	`time` integer NOT NULL,
	`received` integer NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`user_id`, `uuid`)
);
--> statement-breakpoint
CREATE INDEX `sync_item_account` ON `sync_item` (`account_id`);--> statement-breakpoint
CREATE INDEX `sync_item_received` ON `sync_item` (`received`);--> statement-breakpoint
CREATE TABLE `sync_revision` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`forgotten` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `task_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`event_date` integer NOT NULL,
	`operation` text NOT NULL,
	`payload` text NOT NULL,
	`event_id` text
);
--> statement-breakpoint
CREATE INDEX `task_history_account_task` ON `task_history` (`account_id`,`task_id`);--> statement-breakpoint
CREATE TABLE `task_visit` (
	`task_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_visit_account` ON `task_visit` (`account_id`);--> statement-breakpoint
CREATE TABLE `task` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`tracker_id` integer,
	`type` text NOT NULL,
	`parent_id` integer,
	`order` integer,
	`label` text NOT NULL,
	`description` text NOT NULL,
	`location` text,
	`lat` real,
	`lng` real,
	`from` integer NOT NULL,
	`to` integer NOT NULL,
	`external_id` text,
	`status` text NOT NULL,
	`status_change_date` integer NOT NULL,
	`creation_date` integer NOT NULL,
	`max_delay` integer DEFAULT 0 NOT NULL,
	`min_stay_duration` integer DEFAULT 0 NOT NULL,
	`min_arrival_duration` integer DEFAULT 0 NOT NULL,
	`arrival_date` integer,
	`stay_duration` integer DEFAULT 0 NOT NULL,
	`origin` text NOT NULL,
	`deadline` integer,
	`schedule_id` integer,
	`schedule_date` text,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`address_folded` text,
	`external_id_folded` text
);
--> statement-breakpoint
CREATE INDEX `task_account_type` ON `task` (`account_id`,`type`);--> statement-breakpoint
CREATE INDEX `task_account_tracker` ON `task` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE INDEX `task_account_external` ON `task` (`account_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `task_account_parent` ON `task` (`account_id`,`parent_id`,`order`);--> statement-breakpoint
CREATE UNIQUE INDEX `task_account_schedule` ON `task` (`account_id`,`schedule_id`,`schedule_date`);--> statement-breakpoint
CREATE INDEX `task_tracker_deadline` ON `task` (`account_id`,`tracker_id`,`deadline`) WHERE deadline IS NOT NULL;--> statement-breakpoint
CREATE INDEX `task_deadline` ON `task` (`account_id`,`deadline`) WHERE status IN ('assigned', 'arrived');--> statement-breakpoint
CREATE TABLE `tour_count` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`began` integer NOT NULL,
	`calls` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tour_count_account` ON `tour_count` (`account_id`);--> statement-breakpoint
CREATE INDEX `tour_count_began` ON `tour_count` (`began`);--> statement-breakpoint
CREATE TABLE `removed_tracker` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `removed_tracker_pending` ON `removed_tracker` (`account_id`,`tracker_id`) WHERE pending;--> statement-breakpoint
CREATE TABLE `tracker_clone` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`feed_account_id` integer NOT NULL,
	`feed_tracker_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracker_clone_account` ON `tracker_clone` (`account_id`);--> statement-breakpoint
CREATE INDEX `tracker_clone_feed` ON `tracker_clone` (`feed_account_id`,`feed_tracker_id`);--> statement-breakpoint
CREATE TABLE `tracker_work` (
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`account_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `tracker_work_revision` ON `tracker_work` (`account_id`,`revision`);