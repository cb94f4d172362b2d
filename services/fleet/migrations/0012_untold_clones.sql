CREATE TABLE `untold_clone` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`feed_account_id` integer NOT NULL,
	`feed_tracker_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `untold_clone_account` ON `untold_clone` (`account_id`);