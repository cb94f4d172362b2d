-- A row that is inserted here is a change: it gets the account's next revision.
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
-- A place is shown with its tags.
CREATE TRIGGER `place_note_of_tag` AFTER INSERT ON `tag_binding` WHEN new.entity_type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (new.account_id, new.entity_id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_of_tag_gone` AFTER DELETE ON `tag_binding` WHEN old.entity_type = 'place' BEGIN
  INSERT INTO `place_note` (account_id, place_id, sub_user_id) VALUES (old.account_id, old.entity_id, 0);
END;
--> statement-breakpoint
-- To whom a place is shown or hidden hears of it, and nobody else.
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
