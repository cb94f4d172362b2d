CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`event` text NOT NULL
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
	`payload` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_history_account_task` ON `task_history` (`account_id`,`task_id`);--> statement-breakpoint
CREATE TABLE `task_schedule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`tracker_id` integer,
	`label` text NOT NULL,
	`description` text NOT NULL,
	`location` text NOT NULL,
	`from_time` text NOT NULL,
	`duration` integer NOT NULL,
	`max_delay` integer NOT NULL,
	`min_stay_duration` integer NOT NULL,
	`min_arrival_duration` integer NOT NULL,
	`parameters` text NOT NULL,
	`time_zone` text NOT NULL,
	`next_run` integer NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`address_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_schedule_account` ON `task_schedule` (`account_id`);--> statement-breakpoint
CREATE INDEX `task_schedule_next_run` ON `task_schedule` (`next_run`);--> statement-breakpoint
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
CREATE INDEX `task_deadline` ON `task` (`deadline`) WHERE status IN ('assigned', 'arrived');