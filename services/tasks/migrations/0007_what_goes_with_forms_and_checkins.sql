-- What goes with what: a task's form, a check-in's form, and the files of either.
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
-- Check-ins are searched as tasks are, and count with them.
CREATE TRIGGER `search_size_checkin_insert` AFTER INSERT ON `checkin` BEGIN
  INSERT INTO `search_size` (account_id, things, bytes) VALUES (new.account_id, 1, coalesce(octet_length(new.employee_folded), 0) + octet_length(new.address_folded) + coalesce(octet_length(new.comment_folded), 0))
    ON CONFLICT (account_id) DO UPDATE SET things = things + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `search_size_checkin_delete` AFTER DELETE ON `checkin` BEGIN
  UPDATE `search_size` SET things = things - 1, bytes = bytes - (coalesce(octet_length(old.employee_folded), 0) + octet_length(old.address_folded) + coalesce(octet_length(old.comment_folded), 0)) WHERE account_id = old.account_id;
  DELETE FROM `search_size` WHERE account_id = old.account_id AND things = 0;
END;
