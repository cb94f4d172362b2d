-- The letters of tasks' texts in threes; rows are numbered by account first.
CREATE VIRTUAL TABLE `task_text` USING fts5(label, description, address, external_id, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO `task_text` (rowid, label, description, address, external_id)
  SELECT (account_id << 32) | id, label_folded, description_folded, address_folded, external_id_folded FROM `task` WHERE type = 'task';
--> statement-breakpoint
CREATE TRIGGER `task_text_insert` AFTER INSERT ON `task` WHEN new.type = 'task' BEGIN
  INSERT INTO `task_text` (rowid, label, description, address, external_id)
    VALUES ((new.account_id << 32) | new.id, new.label_folded, new.description_folded, new.address_folded, new.external_id_folded);
END;
--> statement-breakpoint
-- A checkpoint may become a task, and a task a checkpoint.
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
