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
-- What every tracker counts from its first point on; those registered from now on get it with their registration.
INSERT INTO `counter` (`account_id`, `tracker_id`, `type`)
SELECT `tracker`.`account_id`, `tracker`.`id`, `kind`.`value` FROM `tracker`
JOIN `source` ON `source`.`id` = `tracker`.`source_id` JOIN json_each('["odometer","engine_hours"]') AS `kind`
WHERE NOT `tracker`.`clone` AND (`kind`.`value` = 'odometer' OR `source`.`model` IN ('generic_gps', 'generic_http'));
--> statement-breakpoint
INSERT INTO `counter_segment` (`account_id`, `counter_id`, `from_time`, `multiplier`, `source`)
SELECT `account_id`, `id`, 0, 1, CASE `type` WHEN 'odometer' THEN '[{"of":"meters","times":0.001}]' ELSE '[{"of":"hours i:1","times":1}]' END
FROM `counter`;
