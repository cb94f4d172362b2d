CREATE TABLE `dealer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`ui_domain` text,
	`block_type` text DEFAULT 'NOT_BLOCKED' NOT NULL,
	`settings` text NOT NULL,
	`features` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dealer_ui_domain_unique` ON `dealer` (`ui_domain`);--> statement-breakpoint
CREATE TABLE `mail` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_dealer` ON `mail` (`dealer_id`,`id`);--> statement-breakpoint
CREATE TABLE `operator` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`login` text NOT NULL,
	`password` text NOT NULL,
	`permissions` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_login_unique` ON `operator` (`login`);--> statement-breakpoint
CREATE TABLE `credential` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`created` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`title` text,
	`sealed` text
);
--> statement-breakpoint
CREATE INDEX `credential_account` ON `credential` (`account_id`,`user_id`,`kind`,`expires_at`);--> statement-breakpoint
CREATE INDEX `credential_expires` ON `credential` (`expires_at`);--> statement-breakpoint
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
CREATE INDEX `user_master` ON `user` (`master_id`,`id`);