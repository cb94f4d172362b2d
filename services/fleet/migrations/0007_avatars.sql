CREATE TABLE `avatar` (
	`name` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`owner` text NOT NULL,
	`size` integer NOT NULL,
	`expires` integer
);
--> statement-breakpoint
CREATE INDEX `avatar_account` ON `avatar` (`account_id`,`size`);--> statement-breakpoint
CREATE INDEX `avatar_expires` ON `avatar` (`expires`) WHERE expires IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tag` ADD `icon_id` integer;
--> statement-breakpoint
CREATE TRIGGER `vehicle_avatar_delete` AFTER DELETE ON `vehicle` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_avatar_delete` AFTER DELETE ON `employee` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
--> statement-breakpoint
CREATE TRIGGER `tag_avatar_delete` AFTER DELETE ON `tag` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
--> statement-breakpoint
CREATE TRIGGER `tracker_avatar_delete` AFTER DELETE ON `tracker` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
