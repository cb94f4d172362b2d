CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `report_schedule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`enabled` integer NOT NULL,
	`parameters` text NOT NULL,
	`time_zone` text NOT NULL,
	`next_run` integer NOT NULL,
	`last_result` text
);
--> statement-breakpoint
CREATE INDEX `report_schedule_user` ON `report_schedule` (`account_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `report_schedule_next_run` ON `report_schedule` (`account_id`,`next_run`) WHERE enabled;--> statement-breakpoint
CREATE TABLE `report` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`created` integer NOT NULL,
	`from` integer NOT NULL,
	`to` integer NOT NULL,
	`request` text NOT NULL,
	`trackers` text NOT NULL,
	`reader` text NOT NULL,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`sheets` integer NOT NULL,
	`leased` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`schedule_id` integer,
	`schedule_day` text,
	`mail` text,
	`is_mail_due` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_user` ON `report` (`account_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `report_waiting` ON `report` (`account_id`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX `report_schedule_day` ON `report` (`schedule_id`,`schedule_day`);--> statement-breakpoint
CREATE INDEX `report_mail` ON `report` (`account_id`,`id`) WHERE is_mail_due AND state = 'finished';--> statement-breakpoint
CREATE INDEX `report_removed` ON `report` (`id`) WHERE state = 'removed';