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
CREATE INDEX `webhook_account` ON `webhook` (`account_id`);