CREATE TABLE `retention_turn` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL
);
