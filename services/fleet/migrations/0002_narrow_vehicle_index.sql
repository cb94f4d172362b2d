DROP INDEX `vehicle_account_id`;--> statement-breakpoint
CREATE INDEX `vehicle_account` ON `vehicle` (`account_id`);