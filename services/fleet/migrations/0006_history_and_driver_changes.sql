CREATE TABLE `driver_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`employee_id` integer,
	`changed` integer NOT NULL,
	`origin` text NOT NULL,
	`hardware_key` text,
	`location` text
);
--> statement-breakpoint
CREATE INDEX `driver_change_tracker` ON `driver_change` (`account_id`,`tracker_id`,`changed`);--> statement-breakpoint
CREATE INDEX `driver_change_employee` ON `driver_change` (`account_id`,`employee_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`time` integer NOT NULL,
	`event` text NOT NULL,
	`message` text NOT NULL,
	`is_read` integer DEFAULT false NOT NULL,
	`emergency` integer DEFAULT false NOT NULL,
	`rule_id` integer,
	`track_id` integer DEFAULT 0 NOT NULL,
	`location` text,
	`address` text DEFAULT '' NOT NULL,
	`extra` text NOT NULL,
	`employee_id` integer,
	`vehicle_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_event_id_unique` ON `event` (`event_id`);--> statement-breakpoint
CREATE INDEX `event_account_tracker` ON `event` (`account_id`,`tracker_id`,`time`,`is_read`);--> statement-breakpoint
CREATE INDEX `event_account_time` ON `event` (`account_id`,`time`,`is_read`);--> statement-breakpoint
CREATE INDEX `event_unread` ON `event` (`account_id`,`time`) WHERE is_read = 0;