CREATE TABLE `avatar` (
	`name` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`owner` text NOT NULL,
	`size` integer NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `avatar_account` ON `avatar` (`account_id`,`size`);--> statement-breakpoint
CREATE INDEX `avatar_expires` ON `avatar` (`expires`) WHERE expires IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `place_avatar_delete` AFTER DELETE ON `place` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
