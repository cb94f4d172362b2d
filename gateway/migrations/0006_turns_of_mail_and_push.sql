DROP INDEX `mail_due`;--> statement-breakpoint
CREATE INDEX `mail_waiting` ON `mail` (CASE WHEN account_id IS NULL THEN -dealer_id ELSE account_id END,`due`) WHERE due IS NOT NULL;--> statement-breakpoint
DROP INDEX `push_token_due`;--> statement-breakpoint
CREATE INDEX `push_token_due` ON `push_token` (`account_id`,`due`) WHERE due IS NOT NULL;