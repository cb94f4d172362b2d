CREATE TABLE `audit_outbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
