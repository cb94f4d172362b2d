CREATE TABLE `search_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`things` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `search_size` (account_id, things, bytes)
  SELECT account_id, count(*), sum(coalesce(octet_length(searched), 0) + coalesce(octet_length(searched_fields), 0)) FROM `place` GROUP BY account_id;
--> statement-breakpoint
CREATE TRIGGER `search_size_insert` AFTER INSERT ON `place` BEGIN
  INSERT INTO `search_size` (account_id, things, bytes) VALUES (new.account_id, 1, coalesce(octet_length(new.searched), 0) + coalesce(octet_length(new.searched_fields), 0))
    ON CONFLICT (account_id) DO UPDATE SET things = things + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_update` AFTER UPDATE OF searched, searched_fields ON `place`
  WHEN new.searched IS NOT old.searched OR new.searched_fields IS NOT old.searched_fields BEGIN
  UPDATE `search_size` SET bytes = bytes + coalesce(octet_length(new.searched), 0) + coalesce(octet_length(new.searched_fields), 0) - (coalesce(octet_length(old.searched), 0) + coalesce(octet_length(old.searched_fields), 0)) WHERE account_id = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_delete` AFTER DELETE ON `place` BEGIN
  UPDATE `search_size` SET things = things - 1, bytes = bytes - (coalesce(octet_length(old.searched), 0) + coalesce(octet_length(old.searched_fields), 0)) WHERE account_id = old.account_id;
  DELETE FROM `search_size` WHERE account_id = old.account_id AND things = 0;
END;
