CREATE TABLE `account_size` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`vehicles` integer NOT NULL,
	`employees` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `employee_account_searched`;--> statement-breakpoint
CREATE INDEX `employee_account_email` ON `employee` (`account_id`,`email_folded`);--> statement-breakpoint
DROP INDEX `vehicle_account_searched`;--> statement-breakpoint
CREATE INDEX `vehicle_account_reg_number` ON `vehicle` (`account_id`,`reg_number_folded`);--> statement-breakpoint
CREATE INDEX `vehicle_account_model` ON `vehicle` (`account_id`,`model_folded`);
--> statement-breakpoint
INSERT INTO `account_size` (account_id, vehicles, employees)
  SELECT account_id, sum(vehicles), sum(employees) FROM (
    SELECT account_id, 1 AS vehicles, 0 AS employees FROM `vehicle` UNION ALL SELECT account_id, 0, 1 FROM `employee`
  ) GROUP BY account_id;
--> statement-breakpoint
-- Single letters and pairs of them, each once: its bytes in hexadecimal, so that a space or a mark parts no word. The list of as many
-- zeros as the text has letters counts them. Rows are numbered by account first.
CREATE VIRTUAL TABLE `vehicle_letters` USING fts5(letters, content='', contentless_delete=1, detail='none', tokenize='ascii');
--> statement-breakpoint
INSERT INTO `vehicle_letters` (rowid, letters)
  SELECT number, (SELECT group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']'))
  FROM (SELECT (account_id << 32) | id AS number, searched AS text FROM `vehicle`);
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
CREATE VIRTUAL TABLE `employee_letters` USING fts5(letters, content='', contentless_delete=1, detail='none', tokenize='ascii');
--> statement-breakpoint
INSERT INTO `employee_letters` (rowid, letters)
  SELECT number, (SELECT group_concat(DISTINCT hex(substr(text, key + 1, 1))) || ',' || group_concat(DISTINCT hex(substr(text, key + 1, 2)))
    FROM json_each('[' || substr(replace(hex(zeroblob(length(text))), '00', ',0'), 2) || ']'))
  FROM (SELECT (account_id << 32) | id AS number, id || char(10) || searched AS text FROM `employee`);
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
CREATE TRIGGER `employee_size_insert` AFTER INSERT ON `employee` BEGIN
  INSERT INTO `account_size` (account_id, vehicles, employees) VALUES (new.account_id, 0, 1)
    ON CONFLICT (account_id) DO UPDATE SET employees = employees + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `employee_size_delete` AFTER DELETE ON `employee` BEGIN
  UPDATE `account_size` SET employees = employees - 1 WHERE account_id = old.account_id;
  DELETE FROM `account_size` WHERE account_id = old.account_id AND vehicles = 0 AND employees = 0;
END;
