CREATE VIRTUAL TABLE `vehicle_text` USING fts5(searched, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
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
CREATE VIRTUAL TABLE `employee_text` USING fts5(searched, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
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
