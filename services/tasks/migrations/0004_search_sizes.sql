CREATE TABLE `search_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`things` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `search_size` (account_id, things, bytes)
  SELECT account_id, count(*), sum(coalesce(octet_length(label_folded), 0) + coalesce(octet_length(description_folded), 0) + coalesce(octet_length(address_folded), 0) + coalesce(octet_length(external_id_folded), 0)) FROM `task` GROUP BY account_id;
--> statement-breakpoint
CREATE TRIGGER `search_size_insert` AFTER INSERT ON `task` BEGIN
  INSERT INTO `search_size` (account_id, things, bytes) VALUES (new.account_id, 1, coalesce(octet_length(new.label_folded), 0) + coalesce(octet_length(new.description_folded), 0) + coalesce(octet_length(new.address_folded), 0) + coalesce(octet_length(new.external_id_folded), 0))
    ON CONFLICT (account_id) DO UPDATE SET things = things + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_update` AFTER UPDATE OF label_folded, description_folded, address_folded, external_id_folded ON `task`
  WHEN new.label_folded IS NOT old.label_folded OR new.description_folded IS NOT old.description_folded OR new.address_folded IS NOT old.address_folded OR new.external_id_folded IS NOT old.external_id_folded BEGIN
  UPDATE `search_size` SET bytes = bytes + coalesce(octet_length(new.label_folded), 0) + coalesce(octet_length(new.description_folded), 0) + coalesce(octet_length(new.address_folded), 0) + coalesce(octet_length(new.external_id_folded), 0) - (coalesce(octet_length(old.label_folded), 0) + coalesce(octet_length(old.description_folded), 0) + coalesce(octet_length(old.address_folded), 0) + coalesce(octet_length(old.external_id_folded), 0)) WHERE account_id = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_delete` AFTER DELETE ON `task` BEGIN
  UPDATE `search_size` SET things = things - 1, bytes = bytes - (coalesce(octet_length(old.label_folded), 0) + coalesce(octet_length(old.description_folded), 0) + coalesce(octet_length(old.address_folded), 0) + coalesce(octet_length(old.external_id_folded), 0)) WHERE account_id = old.account_id;
  DELETE FROM `search_size` WHERE account_id = old.account_id AND things = 0;
END;
