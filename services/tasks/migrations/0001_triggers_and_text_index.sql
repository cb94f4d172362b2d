-- Searches of three letters and more in texts of tasks. A row id holds account and task.
CREATE VIRTUAL TABLE `task_text` USING fts5(label, description, address, external_id, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER `task_text_insert` AFTER INSERT ON `task` WHEN new.type = 'task' BEGIN
  INSERT INTO `task_text` (rowid, label, description, address, external_id)
    VALUES ((new.account_id << 32) | new.id, new.label_folded, new.description_folded, new.address_folded, new.external_id_folded);
END;
--> statement-breakpoint
CREATE TRIGGER `task_text_update` AFTER UPDATE OF type, label_folded, description_folded, address_folded, external_id_folded ON `task`
  WHEN new.type <> old.type OR new.label_folded <> old.label_folded OR new.description_folded <> old.description_folded OR new.address_folded IS NOT old.address_folded OR new.external_id_folded IS NOT old.external_id_folded BEGIN
  DELETE FROM `task_text` WHERE rowid = (old.account_id << 32) | old.id;
  INSERT INTO `task_text` (rowid, label, description, address, external_id)
    SELECT (new.account_id << 32) | new.id, new.label_folded, new.description_folded, new.address_folded, new.external_id_folded WHERE new.type = 'task';
END;
--> statement-breakpoint
CREATE TRIGGER `task_text_delete` AFTER DELETE ON `task` WHEN old.type = 'task' BEGIN
  DELETE FROM `task_text` WHERE rowid = (old.account_id << 32) | old.id;
END;
--> statement-breakpoint
-- Changes of tasks, forms and templates for phones. Inserting into the view writes a change with the account's next revision.
CREATE VIEW `sync_note` AS SELECT account_id, kind, id, tracker_id FROM `sync_change`;
--> statement-breakpoint
CREATE TRIGGER `sync_note_insert` INSTEAD OF INSERT ON `sync_note` BEGIN
  INSERT INTO `sync_revision` (account_id, revision, forgotten) VALUES (new.account_id, 1, 0)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
  INSERT INTO `sync_change` (account_id, kind, id, tracker_id, revision, changed)
    SELECT new.account_id, new.kind, new.id, coalesce(new.tracker_id, 0), revision, unixepoch() * 1000 FROM `sync_revision` WHERE account_id = new.account_id
    ON CONFLICT (account_id, kind, id, tracker_id) DO UPDATE SET revision = excluded.revision, changed = excluded.changed;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_insert` AFTER INSERT ON `task` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'task', new.id, new.tracker_id);
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = new.parent_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_update` AFTER UPDATE ON `task` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'task', new.id, new.tracker_id);
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_leave` AFTER UPDATE OF tracker_id ON `task` WHEN new.tracker_id IS NOT old.tracker_id BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (old.account_id, 'task', old.id, old.tracker_id);
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_move` AFTER UPDATE OF parent_id, `order` ON `task` WHEN new.parent_id IS NOT old.parent_id OR new.`order` IS NOT old.`order` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id IN (old.parent_id, new.parent_id);
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_delete` AFTER DELETE ON `task` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (old.account_id, 'task', old.id, old.tracker_id);
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = old.parent_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_form_insert` AFTER INSERT ON `form` WHEN new.task_id IS NOT NULL BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = new.task_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_form_update` AFTER UPDATE ON `form` WHEN new.task_id IS NOT NULL BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = new.task_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_form_delete` AFTER DELETE ON `form` WHEN old.task_id IS NOT NULL BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = old.task_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_tag_insert` AFTER INSERT ON `tag_binding` WHEN new.entity_type = 'task' BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = new.entity_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_tag_delete` AFTER DELETE ON `tag_binding` WHEN old.entity_type = 'task' BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = old.entity_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_template_insert` AFTER INSERT ON `form_template` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'form_template', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `sync_template_update` AFTER UPDATE ON `form_template` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'form_template', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `sync_template_delete` AFTER DELETE ON `form_template` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (old.account_id, 'form_template', old.id, 0);
END;
--> statement-breakpoint
-- Bytes of the searched texts of each account: searches that would take too long are refused by it.
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
--> statement-breakpoint
CREATE TRIGGER `search_size_checkin_insert` AFTER INSERT ON `checkin` BEGIN
  INSERT INTO `search_size` (account_id, things, bytes) VALUES (new.account_id, 1, coalesce(octet_length(new.employee_folded), 0) + octet_length(new.address_folded) + coalesce(octet_length(new.comment_folded), 0))
    ON CONFLICT (account_id) DO UPDATE SET things = things + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_checkin_delete` AFTER DELETE ON `checkin` BEGIN
  UPDATE `search_size` SET things = things - 1, bytes = bytes - (coalesce(octet_length(old.employee_folded), 0) + octet_length(old.address_folded) + coalesce(octet_length(old.comment_folded), 0)) WHERE account_id = old.account_id;
  DELETE FROM `search_size` WHERE account_id = old.account_id AND things = 0;
END;
--> statement-breakpoint
-- Forms are deleted with their task or check-in, and files with their form.
CREATE TRIGGER `form_of_task` AFTER DELETE ON `task` BEGIN
  DELETE FROM `form` WHERE account_id = old.account_id AND task_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `form_of_checkin` AFTER DELETE ON `checkin` BEGIN
  DELETE FROM `form` WHERE account_id = old.account_id AND checkin_id = old.id;
  UPDATE `file` SET expires = 0 WHERE checkin_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `files_of_form` AFTER DELETE ON `form` BEGIN
  UPDATE `file` SET expires = 0 WHERE form_id = old.id;
END;
--> statement-breakpoint
-- Each change of a tracker's stops raises the account's revision, which makes its feed read them; clones follow their originals.
CREATE TRIGGER `tracker_work_insert` AFTER INSERT ON `task` WHEN new.tracker_id IS NOT NULL AND new.type <> 'route' BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (new.account_id, new.tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = new.account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `tracker_work_update` AFTER UPDATE OF `tracker_id`, `location`, `from`, `deadline`, `min_stay_duration`, `min_arrival_duration` ON `task`
  WHEN new.tracker_id IS NOT NULL AND new.type <> 'route' AND (new.`tracker_id` IS NOT old.`tracker_id` OR new.`location` IS NOT old.`location` OR new.`from` IS NOT old.`from` OR new.`deadline` IS NOT old.`deadline` OR new.`min_stay_duration` IS NOT old.`min_stay_duration` OR new.`min_arrival_duration` IS NOT old.`min_arrival_duration`) BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (new.account_id, new.tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = new.account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `tracker_work_leave` AFTER UPDATE OF tracker_id ON `task`
  WHEN old.tracker_id IS NOT NULL AND old.type <> 'route' AND new.tracker_id IS NOT old.tracker_id BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (old.account_id, old.tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = old.account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `tracker_work_delete` AFTER DELETE ON `task` WHEN old.tracker_id IS NOT NULL AND old.type <> 'route' BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (old.account_id, old.tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = old.account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `visit_of_task` AFTER DELETE ON `task` BEGIN
  DELETE FROM `task_visit` WHERE task_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `work_of_clone_insert` AFTER INSERT ON `tracker_work` BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    SELECT feed_account_id, feed_tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = feed_account_id)
    FROM `tracker_clone` WHERE tracker_id = new.tracker_id
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `work_of_clone_update` AFTER UPDATE ON `tracker_work` BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    SELECT feed_account_id, feed_tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = feed_account_id)
    FROM `tracker_clone` WHERE tracker_id = new.tracker_id
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
CREATE TRIGGER `work_of_known_clone` AFTER INSERT ON `tracker_clone` WHEN EXISTS (SELECT 1 FROM `tracker_work` WHERE account_id = new.account_id AND tracker_id = new.tracker_id) BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (new.feed_account_id, new.feed_tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = new.feed_account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
-- Check-ins and submitted forms that are not sealed yet.
CREATE TRIGGER `record_checkin` AFTER INSERT ON `checkin` BEGIN
  INSERT OR REPLACE INTO `record_queue` (account_id, kind, thing_id) VALUES (new.account_id, 'checkin', new.id);
END;
--> statement-breakpoint
CREATE TRIGGER `record_form` AFTER UPDATE OF `values`, `submitted`, `submit_location` ON `form` WHEN new.submitted IS NOT NULL BEGIN
  INSERT OR REPLACE INTO `record_queue` (account_id, kind, thing_id) VALUES (new.account_id, 'form', new.id);
END;
