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
	`action_date` integer NOT NULL,
	`event_type` text,
	`event_tracker_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_event_id_unique` ON `audit` (`event_id`);--> statement-breakpoint
CREATE INDEX `audit_account_date` ON `audit` (`account_id`,`action_date`,`id`);--> statement-breakpoint
CREATE TABLE `credential` (
	`key` text PRIMARY KEY NOT NULL,
	`id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`created` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`maker_key` text,
	`title` text,
	`agent_writes` integer DEFAULT false NOT NULL,
	`sealed` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credential_id_unique` ON `credential` (`id`);--> statement-breakpoint
CREATE INDEX `credential_account` ON `credential` (`account_id`,`user_id`,`kind`,`expires_at`);--> statement-breakpoint
CREATE INDEX `credential_expires` ON `credential` (`expires_at`);--> statement-breakpoint
CREATE INDEX `credential_maker` ON `credential` (`maker_key`);--> statement-breakpoint
CREATE TABLE `dealer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`parent_id` integer,
	`title` text NOT NULL,
	`email` text,
	`jur_name` text,
	`jur_country` text,
	`ui_domain` text,
	`block_type` text DEFAULT 'NOT_BLOCKED' NOT NULL,
	`settings` text NOT NULL,
	`features` text NOT NULL,
	`limited_domain` integer DEFAULT false NOT NULL,
	`allowed_maps` text,
	`default_user_time_zone` text,
	`tracker_defaults` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dealer_ui_domain_unique` ON `dealer` (`ui_domain`);--> statement-breakpoint
CREATE TABLE `event_sequence` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL,
	`last_stored` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event` (
	`account_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`time` integer NOT NULL,
	`user_id` integer,
	`tracker_id` integer,
	`private_to` integer,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`stored` integer NOT NULL,
	PRIMARY KEY(`account_id`, `sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_event_id_unique` ON `event` (`event_id`);--> statement-breakpoint
CREATE INDEX `event_account_stored` ON `event` (`account_id`,`stored`,`sequence`);--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_agreement` (
	`account_id` integer NOT NULL,
	`address` text NOT NULL,
	`agreed` integer DEFAULT false NOT NULL,
	`asked` integer NOT NULL,
	PRIMARY KEY(`account_id`, `address`)
);
--> statement-breakpoint
CREATE TABLE `mail` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`account_id` integer,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`secret` text,
	`created` integer NOT NULL,
	`due` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`event_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_event_id_unique` ON `mail` (`event_id`);--> statement-breakpoint
CREATE INDEX `mail_dealer` ON `mail` (`dealer_id`,`id`);--> statement-breakpoint
CREATE INDEX `mail_waiting` ON `mail` (CASE WHEN account_id IS NULL THEN -dealer_id ELSE account_id END,`due`) WHERE due IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_account` ON `mail` (`account_id`,`created`);--> statement-breakpoint
CREATE TABLE `menu` (
	`dealer_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`application` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`dealer_id`, `user_id`, `application`)
);
--> statement-breakpoint
CREATE TABLE `operator` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`login` text NOT NULL,
	`password` text NOT NULL,
	`permissions` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_login_unique` ON `operator` (`login`);--> statement-breakpoint
CREATE TABLE `pending_login` (
	`key` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`factor` text NOT NULL,
	`code` text,
	`sent_at` integer,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_delivery` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`push_event_id` integer NOT NULL,
	`key` text NOT NULL,
	`is_over` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_delivery_event_key` ON `push_delivery` (`push_event_id`,`key`);--> statement-breakpoint
CREATE INDEX `push_delivery_open` ON `push_delivery` (`key`,`id`) WHERE is_over = 0;--> statement-breakpoint
CREATE TABLE `push_event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`category` text NOT NULL,
	`entry` text NOT NULL,
	`stored` integer NOT NULL,
	`private_to` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_event_event_id_unique` ON `push_event` (`event_id`);--> statement-breakpoint
CREATE INDEX `push_event_stored` ON `push_event` (`stored`);--> statement-breakpoint
CREATE TABLE `push_token` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`application` text NOT NULL,
	`token` text NOT NULL,
	`parameters` text,
	`category_filter` text NOT NULL,
	`due` integer,
	`tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_token_account` ON `push_token` (`account_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `push_token_due` ON `push_token` (`account_id`,`due`) WHERE due IS NOT NULL;--> statement-breakpoint
CREATE TABLE `removed_user` (
	`id` integer PRIMARY KEY NOT NULL,
	`dealer_id` integer NOT NULL
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
CREATE TABLE `sub_user_tracker` (
	`account_id` integer NOT NULL,
	`sub_user_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	PRIMARY KEY(`sub_user_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `sub_user_tracker_account` ON `sub_user_tracker` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `ui_setting` (
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `ui_setting_account` ON `ui_setting` (`account_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `user_removal` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `user` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`master_id` integer,
	`dealer_id` integer NOT NULL,
	`login` text NOT NULL,
	`login_key` text NOT NULL,
	`password` text NOT NULL,
	`activated` integer NOT NULL,
	`verified` integer NOT NULL,
	`blocked` integer DEFAULT false NOT NULL,
	`demo` integer DEFAULT false NOT NULL,
	`premium_gis` integer DEFAULT false NOT NULL,
	`creation_date` integer NOT NULL,
	`security_group_id` integer,
	`activation_resent_at` integer,
	`restore_sent_at` integer,
	`second_factor` text DEFAULT 'none' NOT NULL,
	`totp_sealed` text,
	`totp_step` integer,
	`last_passwords` text DEFAULT '[]' NOT NULL,
	`translit` integer DEFAULT false NOT NULL,
	`auto_overwrite` integer DEFAULT false NOT NULL,
	`balance_alert_emails` text DEFAULT '[]' NOT NULL,
	`balance` real DEFAULT 0 NOT NULL,
	`bonus` real DEFAULT 0 NOT NULL,
	`default_tariff_id` integer,
	`limits` text NOT NULL,
	`discount` text,
	`comment` text DEFAULT '' NOT NULL,
	`time_zone` text NOT NULL,
	`locale` text NOT NULL,
	`measurement_system` text DEFAULT 'metric' NOT NULL,
	`default_geocoder` text DEFAULT 'osm' NOT NULL,
	`route_provider` text DEFAULT 'osrm' NOT NULL,
	`date_format` text,
	`hour_mode` text,
	`legal_type` text NOT NULL,
	`first_name` text NOT NULL,
	`middle_name` text NOT NULL,
	`last_name` text NOT NULL,
	`legal_name` text,
	`phone` text NOT NULL,
	`tin` text NOT NULL,
	`iec` text,
	`okpo_code` text,
	`state_reg_num` text,
	`post_country` text NOT NULL,
	`post_region` text NOT NULL,
	`post_index` text NOT NULL,
	`post_city` text NOT NULL,
	`post_street_address` text NOT NULL,
	`registered_country` text NOT NULL,
	`registered_region` text NOT NULL,
	`registered_index` text NOT NULL,
	`registered_city` text NOT NULL,
	`registered_street_address` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_login_key_unique` ON `user` (`login_key`);--> statement-breakpoint
CREATE INDEX `user_master` ON `user` (`master_id`,`id`);--> statement-breakpoint
CREATE INDEX `user_dealer` ON `user` (`dealer_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`label` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`tracker_ids` text,
	`tag_ids` text,
	`zone_ids` text,
	`headers` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`private_key` text,
	`public_key` text,
	`ordered` integer NOT NULL,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`start_sequence` integer NOT NULL,
	`read_sequence` integer NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_account` ON `webhook` (`account_id`);--> statement-breakpoint
CREATE TABLE `zone_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL
);
