CREATE TABLE `removed_user` (
	`id` integer PRIMARY KEY NOT NULL,
	`dealer_id` integer NOT NULL
);
