CREATE TABLE `account_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`vehicles` integer NOT NULL,
	`employees` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `avatar` (
	`name` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`owner` text NOT NULL,
	`size` integer NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `avatar_account` ON `avatar` (`account_id`,`size`);--> statement-breakpoint
CREATE INDEX `avatar_expires` ON `avatar` (`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_reader` (
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`read_up_to` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_reader_user` ON `event_reader` (`account_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`time` integer NOT NULL,
	`event` text NOT NULL,
	`message` text NOT NULL,
	`emergency` integer DEFAULT false NOT NULL,
	`rule_id` integer,
	`track_id` integer DEFAULT 0 NOT NULL,
	`location` text,
	`address` text DEFAULT '' NOT NULL,
	`extra` text NOT NULL,
	`employee_id` integer,
	`vehicle_id` integer,
	`private_to` integer,
	`undelivered_since` integer,
	`is_silent` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_event_id_unique` ON `event` (`event_id`);--> statement-breakpoint
CREATE INDEX `event_account_tracker` ON `event` (`account_id`,`tracker_id`,`time`);--> statement-breakpoint
CREATE INDEX `event_account_time` ON `event` (`account_id`,`time`);--> statement-breakpoint
CREATE INDEX `event_account_id` ON `event` (`account_id`,`id`,`time`);--> statement-breakpoint
CREATE INDEX `event_undelivered` ON `event` (`account_id`,`id`) WHERE undelivered_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `retranslated_tracker` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `retranslated_tracker_account` ON `retranslated_tracker` (`account_id`,`pending`);--> statement-breakpoint
CREATE INDEX `retranslated_tracker_pending` ON `retranslated_tracker` (`account_id`,`tracker_id`) WHERE pending;--> statement-breakpoint
CREATE TABLE `retranslator` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`protocol_id` integer NOT NULL,
	`address` text NOT NULL,
	`port` integer NOT NULL,
	`login` text NOT NULL,
	`password` text,
	`enabled` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `retranslator_account_receiver` ON `retranslator` (`account_id`,`address`,`port`,`login`);--> statement-breakpoint
CREATE TABLE `tracker_retranslator` (
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`retranslator_id` integer NOT NULL,
	`fake_device_id` text,
	PRIMARY KEY(`account_id`, `tracker_id`, `retranslator_id`)
);
--> statement-breakpoint
CREATE INDEX `tracker_retranslator_retranslator` ON `tracker_retranslator` (`account_id`,`retranslator_id`);--> statement-breakpoint
CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `import_process` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`filename` text NOT NULL,
	`headers` text NOT NULL,
	`user_headers` text,
	`status` text NOT NULL,
	`created` integer NOT NULL,
	`status_change_date` integer NOT NULL,
	`total_lines` integer NOT NULL,
	`processed_lines` integer NOT NULL,
	`imported` integer NOT NULL,
	`failed` integer NOT NULL,
	`attempts` integer NOT NULL,
	`importer` text NOT NULL,
	`actor` text NOT NULL,
	`batch_lines` text,
	`base_row_id` integer
);
--> statement-breakpoint
CREATE INDEX `import_process_account` ON `import_process` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `import_process_status` ON `import_process` (`status`,`status_change_date`);--> statement-breakpoint
CREATE UNIQUE INDEX `import_process_open` ON `import_process` (`account_id`,`type`,`filename`,`headers`) WHERE status IN ('created', 'in_progress');--> statement-breakpoint
CREATE TABLE `import_remark` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`process_id` integer NOT NULL,
	`kind` text NOT NULL,
	`line` integer NOT NULL,
	`message` text NOT NULL,
	`text` text
);
--> statement-breakpoint
CREATE INDEX `import_remark_process` ON `import_remark` (`process_id`,`kind`,`line`);--> statement-breakpoint
CREATE INDEX `import_remark_account` ON `import_remark` (`account_id`);--> statement-breakpoint
CREATE TABLE `account_removal` (
	`account_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activity` (
	`activity_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`event` text NOT NULL,
	`time` integer NOT NULL,
	`status_id` integer,
	`is_repeated` integer DEFAULT false NOT NULL,
	`extra` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_account` ON `activity` (`account_id`);--> statement-breakpoint
CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_outbox_account` ON `audit_outbox` (entry ->> '$.account_id');--> statement-breakpoint
CREATE TABLE `device_outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer DEFAULT 0 NOT NULL,
	`source_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_outbox_account` ON `device_outbox` (`account_id`);--> statement-breakpoint
CREATE TABLE `gauge_change` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`notice` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_account` ON `mail_outbox` (`account_id`);--> statement-breakpoint
CREATE TABLE `tracker_removal` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracker_removal_account` ON `tracker_removal` (`account_id`);--> statement-breakpoint
CREATE TABLE `undelivered_clone` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`feed_account_id` integer NOT NULL,
	`feed_tracker_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `undelivered_clone_account` ON `undelivered_clone` (`account_id`);--> statement-breakpoint
CREATE TABLE `department` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`label_folded` text NOT NULL,
	`location` text
);
--> statement-breakpoint
CREATE INDEX `department_account` ON `department` (`account_id`);--> statement-breakpoint
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
CREATE TABLE `employee` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`tracker_id` integer,
	`first_name` text NOT NULL,
	`middle_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`driver_license_number` text NOT NULL,
	`driver_license_cats` text NOT NULL,
	`driver_license_issue_date` text,
	`driver_license_valid_till` text,
	`hardware_key` text,
	`icon_id` integer,
	`avatar_file_name` text,
	`department_id` integer,
	`location` text,
	`personnel_number` text,
	`ssn` text,
	`searched` text NOT NULL,
	`first_name_folded` text NOT NULL,
	`email_folded` text NOT NULL,
	`driver_license_number_folded` text NOT NULL,
	`driver_license_cats_folded` text NOT NULL,
	`hardware_key_folded` text,
	`address_folded` text,
	`personnel_number_folded` text,
	`ssn_folded` text,
	`name_folded` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_account_tracker` ON `employee` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `employee_account_hardware_key` ON `employee` (`account_id`,`hardware_key`) WHERE hardware_key <> '';--> statement-breakpoint
CREATE INDEX `employee_account` ON `employee` (`account_id`);--> statement-breakpoint
CREATE INDEX `employee_account_department` ON `employee` (`account_id`,`department_id`);--> statement-breakpoint
CREATE INDEX `employee_account_first_name` ON `employee` (`account_id`,`first_name_folded`,`id`);--> statement-breakpoint
CREATE INDEX `employee_account_email` ON `employee` (`account_id`,`email_folded`);--> statement-breakpoint
CREATE TABLE `journal_entry` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`employee_id` integer,
	`type` text NOT NULL,
	`comment` text,
	`start_location` text NOT NULL,
	`end_location` text NOT NULL,
	`length` real NOT NULL,
	`start_odometer` real,
	`end_odometer` real,
	`start_address_folded` text NOT NULL,
	`end_address_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_entry_tracker` ON `journal_entry` (`account_id`,`tracker_id`,`start_date`,`end_date`);--> statement-breakpoint
CREATE TABLE `read_event` (
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`event_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `read_event_user` ON `read_event` (`account_id`,`user_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `activation_code` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`code` text NOT NULL,
	`tariff_id` integer NOT NULL,
	`bonus_amount` real NOT NULL,
	`free_days` integer NOT NULL,
	`created` integer NOT NULL,
	`used` integer,
	`account_id` integer,
	`source_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activation_code_code_unique` ON `activation_code` (`code`);--> statement-breakpoint
CREATE INDEX `activation_code_dealer` ON `activation_code` (`dealer_id`,`id`);--> statement-breakpoint
CREATE TABLE `bundle` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`dealer_id` integer NOT NULL,
	`imei` text NOT NULL,
	`equip_id` integer NOT NULL,
	`model` text NOT NULL,
	`factory_preset` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bundle_imei_unique` ON `bundle` (`imei`);--> statement-breakpoint
CREATE TABLE `tariff` (
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
CREATE UNIQUE INDEX `tariff_dealer_name` ON `tariff` (`dealer_id`,`name`);--> statement-breakpoint
CREATE TABLE `search_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`things` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `tag` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`color` text NOT NULL,
	`avatar_file_name` text,
	`removing` integer DEFAULT false NOT NULL,
	`icon_id` integer
);
--> statement-breakpoint
CREATE INDEX `tag_account` ON `tag` (`account_id`);--> statement-breakpoint
CREATE INDEX `tag_removing` ON `tag` (`account_id`,`id`) WHERE removing;--> statement-breakpoint
CREATE TABLE `counter_segment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`counter_id` integer NOT NULL,
	`from_time` integer NOT NULL,
	`multiplier` real NOT NULL,
	`source` text NOT NULL,
	`value` real,
	`set_time` integer
);
--> statement-breakpoint
CREATE INDEX `counter_segment_counter` ON `counter_segment` (`counter_id`,`id`);--> statement-breakpoint
CREATE TABLE `counter` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`type` text NOT NULL,
	`multiplier` real DEFAULT 1 NOT NULL,
	`sensor_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `counter_tracker_type` ON `counter` (`account_id`,`tracker_id`,`type`);--> statement-breakpoint
CREATE TABLE `output` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`number` integer NOT NULL,
	`title` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `output_tracker_number` ON `output` (`account_id`,`tracker_id`,`number`);--> statement-breakpoint
CREATE TABLE `sensor` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`type` text NOT NULL,
	`sensor_type` text NOT NULL,
	`name` text NOT NULL,
	`input_name` text,
	`input_number` integer,
	`group_type` text,
	`divider` real DEFAULT 1 NOT NULL,
	`accuracy` real DEFAULT 0 NOT NULL,
	`units` text DEFAULT '' NOT NULL,
	`units_type` text DEFAULT 'custom' NOT NULL,
	`parameters` text NOT NULL,
	`calibration` text NOT NULL,
	`slot` text
);
--> statement-breakpoint
CREATE INDEX `sensor_account_tracker` ON `sensor` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sensor_slot` ON `sensor` (`account_id`,`tracker_id`,`slot`);--> statement-breakpoint
CREATE UNIQUE INDEX `sensor_ignition` ON `sensor` (`account_id`,`tracker_id`,`sensor_type`) WHERE sensor_type IN ('ignition', 'virtual_ignition');--> statement-breakpoint
CREATE TABLE `removed_tracker` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`dealer_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`clone` integer NOT NULL,
	`label` text NOT NULL,
	`group_id` integer NOT NULL,
	`comment` text NOT NULL,
	`device_id` text NOT NULL,
	`model` text NOT NULL,
	`blocked` integer NOT NULL,
	`tariff_id` integer NOT NULL,
	`creation_date` integer NOT NULL,
	`phone` text,
	`revision` integer NOT NULL,
	`removed_at` integer DEFAULT 0 NOT NULL,
	`is_erased` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `removed_tracker_account` ON `removed_tracker` (`account_id`);--> statement-breakpoint
CREATE INDEX `removed_tracker_source` ON `removed_tracker` (`source_id`,`clone`);--> statement-breakpoint
CREATE INDEX `removed_tracker_unerased` ON `removed_tracker` (`account_id`,`removed_at`) WHERE is_erased = 0;--> statement-breakpoint
CREATE TABLE `source` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`dealer_id` integer NOT NULL,
	`device_id` text NOT NULL,
	`model` text NOT NULL,
	`blocked` integer DEFAULT false NOT NULL,
	`tariff_id` integer NOT NULL,
	`tariff_changed` integer,
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
CREATE TABLE `tracker_group` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`title` text NOT NULL,
	`color` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracker_group_account` ON `tracker_group` (`account_id`);--> statement-breakpoint
CREATE TABLE `tracker` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`clone` integer DEFAULT false NOT NULL,
	`label` text NOT NULL,
	`label_folded` text NOT NULL,
	`group_id` integer DEFAULT 0 NOT NULL,
	`avatar_file_name` text,
	`comment` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tracker_account_source` ON `tracker` (`account_id`,`source_id`);--> statement-breakpoint
CREATE INDEX `tracker_source` ON `tracker` (`source_id`,`clone`);--> statement-breakpoint
CREATE TABLE `garage` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`organization_name` text NOT NULL,
	`organization_name_folded` text NOT NULL,
	`mechanic_name` text NOT NULL,
	`dispatcher_name` text NOT NULL,
	`location` text
);
--> statement-breakpoint
CREATE INDEX `garage_account` ON `garage` (`account_id`);--> statement-breakpoint
CREATE TABLE `service_task_file` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`state` text NOT NULL,
	`expires` integer,
	`user_id` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `service_task_file_account` ON `service_task_file` (`account_id`);--> statement-breakpoint
CREATE INDEX `service_task_file_expires` ON `service_task_file` (`account_id`,`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
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
	`file_ids` text DEFAULT '[]' NOT NULL,
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
CREATE INDEX `service_task_with_files` ON `service_task` (`account_id`) WHERE file_ids <> '[]';--> statement-breakpoint
CREATE INDEX `service_task_vehicle` ON `service_task` (`account_id`,`vehicle_id`,`status`);--> statement-breakpoint
CREATE INDEX `service_task_due` ON `service_task` (`account_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `service_task_checked` ON `service_task` (`account_id`,`checked_at`) WHERE checked_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `vehicle` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `vehicle_account` ON `vehicle` (`account_id`);--> statement-breakpoint
CREATE INDEX `vehicle_account_label` ON `vehicle` (`account_id`,`label_folded`,`id`);--> statement-breakpoint
CREATE INDEX `vehicle_account_reg_number` ON `vehicle` (`account_id`,`reg_number_folded`);--> statement-breakpoint
CREATE INDEX `vehicle_account_model` ON `vehicle` (`account_id`,`model_folded`);--> statement-breakpoint
CREATE TABLE `status_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`old_status_id` integer,
	`new_status_id` integer,
	`location` text,
	`changed` integer NOT NULL,
	`origin` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_change_tracker` ON `status_change` (`account_id`,`tracker_id`,`id`);--> statement-breakpoint
CREATE TABLE `status_listing` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`employee_controlled` integer NOT NULL,
	`supervisor_controlled` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_listing_account` ON `status_listing` (`account_id`);--> statement-breakpoint
CREATE TABLE `status` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`listing_id` integer NOT NULL,
	`label` text NOT NULL,
	`color` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_listing_position` ON `status` (`account_id`,`listing_id`,`position`);