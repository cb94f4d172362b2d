CREATE TRIGGER `record_checkin` AFTER INSERT ON `checkin` BEGIN
  INSERT OR REPLACE INTO `record_queue` (account_id, kind, thing_id) VALUES (new.account_id, 'checkin', new.id);
END;
--> statement-breakpoint
-- A correction is a submission too.
CREATE TRIGGER `record_form` AFTER UPDATE OF `values`, `submitted`, `submit_location` ON `form` WHEN new.submitted IS NOT NULL BEGIN
  INSERT OR REPLACE INTO `record_queue` (account_id, kind, thing_id) VALUES (new.account_id, 'form', new.id);
END;
