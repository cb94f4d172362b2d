-- Full-text index of the gazetteer's names.
CREATE VIRTUAL TABLE `gazetteer_text` USING fts5(names, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0');
--> statement-breakpoint
-- Changes of places for phones. Inserting into the view writes a change with the account's next revision.
CREATE VIEW `place_note` AS SELECT account_id, place_id, sub_user_id FROM `place_change`;
--> statement-breakpoint
CREATE TRIGGER `place_note_insert` INSTEAD OF INSERT ON `place_note` BEGIN
  INSERT INTO `place_revision` (account_id, revision, forgotten) VALUES (new.account_id, 1, 0)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
  INSERT INTO `place_change` (account_id, place_id, sub_user_id, revision, changed)
    SELECT new.account_id, new.place_id, new.sub_user_id, revision, unixepoch() * 1000 FROM `place_revision` WHERE account_id = new.account_id
    ON CONFLICT (account_id, place_id, sub_user_id) DO UPDATE SET revision = excluded.revision, changed = excluded.changed;
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_insert` AFTER INSERT ON `place` BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_update` AFTER UPDATE ON `place` BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_delete` AFTER DELETE ON `place` BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (old.account_id, old.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_tag` AFTER INSERT ON `tag_binding` WHEN new.entity_type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, new.entity_id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_tag_gone` AFTER DELETE ON `tag_binding` WHEN old.entity_type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (old.account_id, old.entity_id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_binding` AFTER INSERT ON `sub_user_binding` WHEN new.type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, new.thing_id, new.sub_user_id);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_binding_gone` AFTER DELETE ON `sub_user_binding` WHEN old.type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (old.account_id, old.thing_id, old.sub_user_id);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_access` AFTER INSERT ON `sub_user_access` WHEN new.type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, 0, new.sub_user_id);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_access_gone` AFTER DELETE ON `sub_user_access` WHEN old.type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (old.account_id, 0, old.sub_user_id);
END;
--> statement-breakpoint
-- Bytes of the searched texts of each account: searches that would take too long are refused by it.
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
--> statement-breakpoint
-- Pictures of deleted places expire.
CREATE TRIGGER `place_avatar_delete` AFTER DELETE ON `place` WHEN old.avatar_file_name IS NOT NULL BEGIN
  UPDATE `avatar` SET expires = 0 WHERE name = old.avatar_file_name;
END;
--> statement-breakpoint
-- A changed zone raises the revision of the rules that name it.
CREATE TRIGGER `rule_revision_zone` AFTER UPDATE ON `zone` BEGIN
  UPDATE `rule_revision` SET revision = revision + 1 WHERE account_id = new.account_id;
END;
--> statement-breakpoint
-- Refuses chunks of trackers that belong to another database of the list.
CREATE TRIGGER `chunk_in_its_database` BEFORE INSERT ON `chunk` WHEN EXISTS (
  SELECT 1 FROM `tracker_database` WHERE is_here AND position <> 1 + new.tracker_id %
    (SELECT count(*) FROM `tracker_database` WHERE first_tracker_id <= new.tracker_id)
) BEGIN
  SELECT RAISE(ABORT, 'the points of this tracker are in another database');
END;
