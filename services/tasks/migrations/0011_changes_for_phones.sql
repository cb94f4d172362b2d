CREATE TABLE `sync_change` (
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`tracker_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`changed` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`, `id`, `tracker_id`)
);
--> statement-breakpoint
CREATE INDEX `sync_change_revision` ON `sync_change` (`account_id`,`revision`);--> statement-breakpoint
CREATE INDEX `sync_change_changed` ON `sync_change` (`changed`);--> statement-breakpoint
CREATE TABLE `sync_revision` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`forgotten` integer NOT NULL
);
