-- Searches of three letters and more. A row id holds account and thing, so that an index serves one account.
CREATE VIRTUAL TABLE `vehicle_text` USING fts5(searched, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `employee_text` USING fts5(searched, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER `vehicle_text_insert` AFTER INSERT ON `vehicle` BEGIN
  INSERT INTO `vehicle_text` (rowid, searched) VALUES ((new.account_id << 32) | new.id, new.searched);
END;
--> statement-breakpoint
CREATE TRIGGER `vehicle_text_update` AFTER UPDATE OF searched ON `vehicle` WHEN new.searched <> old.searched BEGIN
  DELETE FROM `vehicle_text` WHERE rowid = (old.account_id << 32) | old.id;
  INSERT INTO `vehicle_text` (rowid, searched) VALUES ((new.account_id << 32) | new.id, new.searched);
END;
--> statement-breakpoint
CREATE TRIGGER `vehicle_text_delete` AFTER DELETE ON `vehicle` BEGIN
  DELETE FROM `vehicle_text` WHERE rowid = (old.account_id << 32) | old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_text_insert` AFTER INSERT ON `employee` BEGIN
  INSERT INTO `employee_text` (rowid, searched) VALUES ((new.account_id << 32) | new.id, new.id || char(10) || new.searched);
END;
--> statement-breakpoint
CREATE TRIGGER `employee_text_update` AFTER UPDATE OF searched ON `employee` WHEN new.searched <> old.searched BEGIN
  DELETE FROM `employee_text` WHERE rowid = (old.account_id << 32) | old.id;
  INSERT INTO `employee_text` (rowid, searched) VALUES ((new.account_id << 32) | new.id, new.id || char(10) || new.searched);
END;
--> statement-breakpoint
CREATE TRIGGER `employee_text_delete` AFTER DELETE ON `employee` BEGIN
  DELETE FROM `employee_text` WHERE rowid = (old.account_id << 32) | old.id;
END;
--> statement-breakpoint
-- Searches of one and two letters.
CREATE VIRTUAL TABLE `vehicle_letters` USING fts5(letters, content='', contentless_delete=1, detail='none', tokenize='ascii');
--> statement-breakpoint
CREATE VIRTUAL TABLE `employee_letters` USING fts5(letters, content='', contentless_delete=1, detail='none', tokenize='ascii');
--> statement-breakpoint
CREATE TRIGGER `vehicle_letters_insert` AFTER INSERT ON `vehicle` BEGIN
  INSERT INTO `vehicle_letters` (rowid, letters)
    SELECT (new.account_id << 32) | new.id, group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM (SELECT new.searched AS text), json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']');
END;
--> statement-breakpoint
CREATE TRIGGER `vehicle_letters_update` AFTER UPDATE OF searched ON `vehicle` WHEN new.searched <> old.searched BEGIN
  DELETE FROM `vehicle_letters` WHERE rowid = (old.account_id << 32) | old.id;
  INSERT INTO `vehicle_letters` (rowid, letters)
    SELECT (new.account_id << 32) | new.id, group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM (SELECT new.searched AS text), json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']');
END;
--> statement-breakpoint
CREATE TRIGGER `vehicle_letters_delete` AFTER DELETE ON `vehicle` BEGIN
  DELETE FROM `vehicle_letters` WHERE rowid = (old.account_id << 32) | old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_letters_insert` AFTER INSERT ON `employee` BEGIN
  INSERT INTO `employee_letters` (rowid, letters)
    SELECT (new.account_id << 32) | new.id, group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM (SELECT new.id || char(10) || new.searched AS text), json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']');
END;
--> statement-breakpoint
CREATE TRIGGER `employee_letters_update` AFTER UPDATE OF searched ON `employee` WHEN new.searched <> old.searched BEGIN
  DELETE FROM `employee_letters` WHERE rowid = (old.account_id << 32) | old.id;
  INSERT INTO `employee_letters` (rowid, letters)
    SELECT (new.account_id << 32) | new.id, group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM (SELECT new.id || char(10) || new.searched AS text), json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']');
END;
--> statement-breakpoint
CREATE TRIGGER `employee_letters_delete` AFTER DELETE ON `employee` BEGIN
  DELETE FROM `employee_letters` WHERE rowid = (old.account_id << 32) | old.id;
END;
--> statement-breakpoint
-- The number of vehicles and employees of each account, for limits and lists.
CREATE TRIGGER `vehicle_size_insert` AFTER INSERT ON `vehicle` BEGIN
  INSERT INTO `account_size` (account_id, vehicles, employees) VALUES (new.account_id, 1, 0)
    ON CONFLICT (account_id) DO UPDATE SET vehicles = vehicles + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `vehicle_size_delete` AFTER DELETE ON `vehicle` BEGIN
  UPDATE `account_size` SET vehicles = vehicles - 1 WHERE account_id = old.account_id;
  DELETE FROM `account_size` WHERE account_id = old.account_id AND vehicles = 0 AND employees = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_size_insert` AFTER INSERT ON `employee` BEGIN
  INSERT INTO `account_size` (account_id, vehicles, employees) VALUES (new.account_id, 0, 1)
    ON CONFLICT (account_id) DO UPDATE SET employees = employees + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_size_delete` AFTER DELETE ON `employee` BEGIN
  UPDATE `account_size` SET employees = employees - 1 WHERE account_id = old.account_id;
  DELETE FROM `account_size` WHERE account_id = old.account_id AND vehicles = 0 AND employees = 0;
END;
--> statement-breakpoint
-- Bytes of the searched texts of each account: searches that would take too long are refused by it.
CREATE TRIGGER `search_size_insert` AFTER INSERT ON `service_task` BEGIN
  INSERT INTO `search_size` (account_id, things, bytes) VALUES (new.account_id, 1, coalesce(octet_length(new.description_folded), 0) + coalesce(octet_length(new.comment_folded), 0))
    ON CONFLICT (account_id) DO UPDATE SET things = things + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_update` AFTER UPDATE OF description_folded, comment_folded ON `service_task`
  WHEN new.description_folded IS NOT old.description_folded OR new.comment_folded IS NOT old.comment_folded BEGIN
  UPDATE `search_size` SET bytes = bytes + coalesce(octet_length(new.description_folded), 0) + coalesce(octet_length(new.comment_folded), 0) - (coalesce(octet_length(old.description_folded), 0) + coalesce(octet_length(old.comment_folded), 0)) WHERE account_id = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_delete` AFTER DELETE ON `service_task` BEGIN
  UPDATE `search_size` SET things = things - 1, bytes = bytes - (coalesce(octet_length(old.description_folded), 0) + coalesce(octet_length(old.comment_folded), 0)) WHERE account_id = old.account_id;
  DELETE FROM `search_size` WHERE account_id = old.account_id AND things = 0;
END;
--> statement-breakpoint
-- Pictures of deleted things expire.
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
--> statement-breakpoint
-- Causes of rules that are not points: changes of tasks and of work statuses.
CREATE TRIGGER `activity_of_task` AFTER INSERT ON `event`
  WHEN new.rule_id IS NULL AND new.event IN (
    'task_arrived', 'task_completed', 'task_delayed', 'task_failed', 'task_form_submitted',
    'checkpoint_arrived', 'checkpoint_completed', 'checkpoint_delayed', 'checkpoint_failed',
    'route_completed', 'route_faulty', 'route_failed') BEGIN
  INSERT OR IGNORE INTO `activity` (activity_id, account_id, tracker_id, event, time, is_repeated, extra)
    VALUES (new.event_id, new.account_id, new.tracker_id, new.event, new.time,
      -- Events of one form have ids that differ behind the last hyphen; a full stop comes behind it.
      new.event = 'task_form_submitted' AND EXISTS (SELECT 1 FROM `event` AS earlier
        WHERE earlier.event_id > rtrim(new.event_id, '0123456789')
        AND earlier.event_id < rtrim(rtrim(new.event_id, '0123456789'), '-') || '.' AND earlier.id < new.id),
      new.extra);
END;
--> statement-breakpoint
CREATE TRIGGER `activity_of_status` AFTER INSERT ON `status_change` WHEN new.new_status_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO `activity` (activity_id, account_id, tracker_id, event, time, status_id, extra)
    VALUES ('status-' || new.id, new.account_id, new.tracker_id, 'work_status_change', new.changed, new.new_status_id, '{}');
END;
--> statement-breakpoint
-- Changed sensors, of which geo must drop its copies.
CREATE TRIGGER `gauge_changed` AFTER UPDATE ON `sensor` BEGIN
  INSERT INTO `gauge_change` (account_id, revision) VALUES (new.account_id, 1)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `gauge_deleted` AFTER DELETE ON `sensor` BEGIN
  INSERT INTO `gauge_change` (account_id, revision) VALUES (old.account_id, 1)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
END;
--> statement-breakpoint
-- Clones that are not delivered to tasks yet.
CREATE TRIGGER `undelivered_clone_insert` AFTER INSERT ON `tracker` WHEN new.clone BEGIN
  INSERT INTO `undelivered_clone` (tracker_id, account_id, feed_account_id, feed_tracker_id)
    SELECT new.id, new.account_id, account_id, id FROM `tracker` WHERE source_id = new.source_id AND NOT clone;
END;
--> statement-breakpoint
CREATE TRIGGER `undelivered_clone_delete` AFTER DELETE ON `tracker` WHEN old.clone BEGIN
  DELETE FROM `undelivered_clone` WHERE tracker_id = old.id;
END;
