-- A row that is inserted here is a change: it gets the account's next revision.
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
-- Of a checkpoint its route too, which names it.
CREATE TRIGGER `sync_task_insert` AFTER INSERT ON `task` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'task', new.id, new.tracker_id);
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) SELECT account_id, 'task', id, tracker_id FROM `task` WHERE id = new.parent_id;
END;
--> statement-breakpoint
CREATE TRIGGER `sync_task_update` AFTER UPDATE ON `task` BEGIN
  INSERT INTO `sync_note` (account_id, kind, id, tracker_id) VALUES (new.account_id, 'task', new.id, new.tracker_id);
END;
--> statement-breakpoint
-- Whoever sees the tracker that has it no more is to hear that it is gone.
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
-- A task is shown with its form and its tags.
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
