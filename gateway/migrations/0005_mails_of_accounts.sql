ALTER TABLE `mail` ADD `account_id` integer;--> statement-breakpoint
CREATE INDEX `mail_account` ON `mail` (`account_id`,`created`);