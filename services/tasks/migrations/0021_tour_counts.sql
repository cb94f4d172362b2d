CREATE TABLE `tour_count` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`began` integer NOT NULL,
	`calls` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tour_count_account` ON `tour_count` (`account_id`);--> statement-breakpoint
CREATE INDEX `tour_count_began` ON `tour_count` (`began`);