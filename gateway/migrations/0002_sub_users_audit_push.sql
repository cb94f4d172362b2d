CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`entry_category` text NOT NULL,
	`entry_id` integer,
	`action` text NOT NULL,
	`payload` text,
	`host` text NOT NULL,
	`user_agent` text NOT NULL,
	`action_date` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_event_id_unique` ON `audit` (`event_id`);--> statement-breakpoint
CREATE INDEX `audit_account_date` ON `audit` (`account_id`,`action_date`,`id`);--> statement-breakpoint
CREATE TABLE `push_token` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`application` text NOT NULL,
	`token` text NOT NULL,
	`parameters` text,
	`category_filter` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_token_account` ON `push_token` (`account_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `pending_login` (
	`key` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`factor` text NOT NULL,
	`code` text,
	`sent_at` integer,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `security_group` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`rights` text NOT NULL,
	`store_period` text
);
--> statement-breakpoint
CREATE INDEX `security_group_account` ON `security_group` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `ui_setting` (
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `ui_setting_account` ON `ui_setting` (`account_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `sub_user_tracker` (
	`account_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	PRIMARY KEY(`sub_user_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `sub_user_tracker_account` ON `sub_user_tracker` (`account_id`,`tracker_id`);--> statement-breakpoint
ALTER TABLE `dealer` ADD `limited_domain` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `dealer` ADD `allowed_maps` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `default_user_time_zone` text;--> statement-breakpoint
ALTER TABLE `dealer` ADD `tracker_defaults` text;--> statement-breakpoint
ALTER TABLE `mail` ADD `due` integer;--> statement-breakpoint
ALTER TABLE `mail` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_due` ON `mail` (`due`);--> statement-breakpoint
ALTER TABLE `user` ADD `security_group_id` integer;--> statement-breakpoint
ALTER TABLE `user` ADD `activation_resent_at` integer;--> statement-breakpoint
ALTER TABLE `user` ADD `restore_sent_at` integer;--> statement-breakpoint
ALTER TABLE `user` ADD `second_factor` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `totp_sealed` text;--> statement-breakpoint
ALTER TABLE `user` ADD `last_passwords` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `translit` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `auto_overwrite` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `balance_alert_emails` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `user_dealer` ON `user` (`dealer_id`,`id`);