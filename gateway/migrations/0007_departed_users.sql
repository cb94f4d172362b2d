CREATE TABLE `departed_user` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
