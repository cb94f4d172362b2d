CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `plan` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`name` text NOT NULL,
	`group_id` integer NOT NULL,
	`active` integer NOT NULL,
	`type` text NOT NULL,
	`price` real NOT NULL,
	`early_change_price` real NOT NULL,
	`device_limit` integer NOT NULL,
	`has_reports` integer NOT NULL,
	`store_period` text NOT NULL,
	`device_type` text NOT NULL,
	`proportional_charge` integer NOT NULL,
	`service_prices` text NOT NULL,
	`features` text NOT NULL,
	`map_filter` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_dealer_name` ON `plan` (`dealer_id`,`name`);--> statement-breakpoint
CREATE TABLE `source` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`dealer_id` integer NOT NULL,
	`device_id` text NOT NULL,
	`model` text NOT NULL,
	`blocked` integer DEFAULT false NOT NULL,
	`tariff_id` integer NOT NULL,
	`status_listing_id` integer,
	`creation_date` integer NOT NULL,
	`tariff_end_date` text,
	`phone` text,
	`revision` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `source_device_id_unique` ON `source` (`device_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `source_phone_unique` ON `source` (`phone`);--> statement-breakpoint
CREATE INDEX `source_account` ON `source` (`account_id`,`tariff_id`);--> statement-breakpoint
CREATE TABLE `tracker` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`clone` integer DEFAULT false NOT NULL,
	`label` text NOT NULL,
	`label_folded` text NOT NULL,
	`group_id` integer DEFAULT 0 NOT NULL,
	`avatar_file_name` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tracker_account_source` ON `tracker` (`account_id`,`source_id`);--> statement-breakpoint
CREATE INDEX `tracker_source` ON `tracker` (`source_id`,`clone`);--> statement-breakpoint
CREATE TABLE `vehicle` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer,
	`label` text NOT NULL,
	`max_speed` integer,
	`model` text NOT NULL,
	`type` text NOT NULL,
	`subtype` text,
	`garage_id` integer,
	`trailer` text,
	`trailer_reg_number` text NOT NULL,
	`manufacture_year` integer,
	`color` text,
	`additional_info` text,
	`reg_number` text NOT NULL,
	`vin` text NOT NULL,
	`chassis_number` text NOT NULL,
	`frame_number` text,
	`payload_weight` integer,
	`payload_height` real,
	`payload_length` real,
	`payload_width` real,
	`passengers` integer,
	`gross_weight` integer,
	`fuel_type` text,
	`fuel_grade` text NOT NULL,
	`norm_avg_fuel_consumption` real,
	`fuel_tank_volume` integer,
	`fuel_cost` real,
	`wheel_arrangement` text NOT NULL,
	`tyre_size` text NOT NULL,
	`tyres_number` integer,
	`liability_insurance_policy_number` text NOT NULL,
	`liability_insurance_valid_till` text,
	`free_insurance_policy_number` text NOT NULL,
	`free_insurance_valid_till` text,
	`icon_id` integer,
	`icon_color` text,
	`avatar_file_name` text,
	`status_id` integer,
	`searched` text NOT NULL,
	`label_folded` text NOT NULL,
	`model_folded` text NOT NULL,
	`reg_number_folded` text NOT NULL,
	`vin_folded` text NOT NULL,
	`chassis_number_folded` text NOT NULL,
	`fuel_grade_folded` text NOT NULL,
	`wheel_arrangement_folded` text NOT NULL,
	`tyre_size_folded` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vehicle_account_tracker` ON `vehicle` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE INDEX `vehicle_account_id` ON `vehicle` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `vehicle_account_label` ON `vehicle` (`account_id`,`label_folded`,`id`);