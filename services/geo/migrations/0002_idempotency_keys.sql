CREATE TABLE `idempotency_key` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`row_id` integer,
	`answer` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_key_created` ON `idempotency_key` (`created`);