CREATE TABLE `tracker_removal` (
	`tracker_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
