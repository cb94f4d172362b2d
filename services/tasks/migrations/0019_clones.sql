CREATE TABLE `tracker_clone` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`feed_account_id` integer NOT NULL,
	`feed_tracker_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracker_clone_account` ON `tracker_clone` (`account_id`);--> statement-breakpoint
CREATE INDEX `tracker_clone_feed` ON `tracker_clone` (`feed_account_id`,`feed_tracker_id`);