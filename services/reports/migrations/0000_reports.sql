CREATE TABLE `report` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`created` integer NOT NULL,
	`from` integer NOT NULL,
	`to` integer NOT NULL,
	`request` text NOT NULL,
	`reader` text NOT NULL,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`sheets` integer NOT NULL,
	`leased` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_user` ON `report` (`account_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `report_waiting` ON `report` (`account_id`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `report_removed` ON `report` (`id`) WHERE state = 'removed';