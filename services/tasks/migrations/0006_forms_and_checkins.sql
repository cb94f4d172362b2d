CREATE TABLE `checkin` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`employee_id` integer,
	`employee_name` text,
	`marker_time` integer NOT NULL,
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
	`bytes` integer NOT NULL,
	`label_folded` text NOT NULL,
	`description_folded` text NOT NULL,
	`submit_address_folded` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `form_account_task` ON `form` (`account_id`,`task_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `form_account_checkin` ON `form` (`account_id`,`checkin_id`);--> statement-breakpoint
CREATE INDEX `form_account_template` ON `form` (`account_id`,`template_id`);--> statement-breakpoint
ALTER TABLE `file` ADD `form_id` integer;--> statement-breakpoint
ALTER TABLE `file` ADD `field_id` text;--> statement-breakpoint
ALTER TABLE `file` ADD `checkin_id` integer;--> statement-breakpoint
CREATE INDEX `file_form` ON `file` (`form_id`,`field_id`) WHERE form_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_checkin` ON `file` (`checkin_id`) WHERE checkin_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `task_schedule` ADD `form_template_id` integer;