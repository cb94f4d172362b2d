CREATE TABLE `rule_book` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`time_zone` text NOT NULL,
	`zone_revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rule_tracker` (
	`account_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `rule_tracker_account` ON `rule_tracker` (`account_id`,`tracker_id`);--> statement-breakpoint
CREATE TABLE `rule_zone` (
	`account_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`zone_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `zone_id`)
);
--> statement-breakpoint
CREATE INDEX `rule_zone_account` ON `rule_zone` (`account_id`,`zone_id`);--> statement-breakpoint
CREATE TABLE `rule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`author_id` integer NOT NULL,
	`private_to` integer,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`primary_text` text NOT NULL,
	`secondary_text` text NOT NULL,
	`param` integer NOT NULL,
	`alerts` text NOT NULL,
	`suspended` integer NOT NULL,
	`auto_created` integer NOT NULL,
	`schedule` text NOT NULL,
	`next_interval` integer NOT NULL,
	`extended_params` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rule_account` ON `rule` (`account_id`);--> statement-breakpoint
-- Whoever has a copy of an account's rules has one of their zones, too.
CREATE TRIGGER `rule_book_zone` AFTER UPDATE ON `zone` BEGIN
  UPDATE `rule_book` SET revision = revision + 1 WHERE account_id = new.account_id;
END;
