CREATE TABLE `department` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`label_folded` text NOT NULL,
	`location` text
);
--> statement-breakpoint
CREATE INDEX `department_account` ON `department` (`account_id`);--> statement-breakpoint
CREATE TABLE `employee` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
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
	`ssn_folded` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `employee_account_tracker` ON `employee` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `employee_account_hardware_key` ON `employee` (`account_id`,`hardware_key`) WHERE hardware_key <> '';--> statement-breakpoint
CREATE INDEX `employee_account` ON `employee` (`account_id`);--> statement-breakpoint
CREATE INDEX `employee_account_first_name` ON `employee` (`account_id`,`first_name_folded`,`id`);--> statement-breakpoint
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
CREATE INDEX `garage_account` ON `garage` (`account_id`);