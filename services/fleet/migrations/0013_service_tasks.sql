CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`notice` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `service_task` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`vehicle_id` integer NOT NULL,
	`status` text DEFAULT 'created' NOT NULL,
	`description` text NOT NULL,
	`comment` text NOT NULL,
	`repeat` integer NOT NULL,
	`unplanned` integer NOT NULL,
	`cost` real NOT NULL,
	`mileage_limit` real,
	`mileage_notification` real,
	`mileage_repeat` real,
	`hours_limit` real,
	`hours_notification` real,
	`hours_repeat` real,
	`date_end` integer,
	`date_notification` integer,
	`date_repeat` integer,
	`sms_phones` text NOT NULL,
	`emails` text NOT NULL,
	`push_enabled` integer NOT NULL,
	`start_mileage` real,
	`start_hours` real,
	`start_date` integer NOT NULL,
	`completion_mileage` real,
	`completion_hours` real,
	`completion_date` integer,
	`notify_at` integer,
	`due_at` integer,
	`checked_at` integer,
	`predicted_date` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	`description_folded` text NOT NULL,
	`comment_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `service_task_account` ON `service_task` (`account_id`);--> statement-breakpoint
CREATE INDEX `service_task_vehicle` ON `service_task` (`account_id`,`vehicle_id`,`status`);--> statement-breakpoint
CREATE INDEX `service_task_due` ON `service_task` (`due_at`);--> statement-breakpoint
CREATE INDEX `service_task_checked` ON `service_task` (`checked_at`);