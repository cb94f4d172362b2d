-- The root dealer belongs to the operators of the installation.
INSERT INTO `dealer` (`id`, `title`, `ui_domain`, `settings`, `features`) VALUES (1, 'Fleet Desk', NULL, '{}', '[]');
--> statement-breakpoint
-- Inserting into the view stores an event with the account's next sequence, unless its id is known.
CREATE VIEW `event_arrival` AS SELECT account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored FROM `event`;
--> statement-breakpoint
CREATE TRIGGER `event_arrival_insert` INSTEAD OF INSERT ON `event_arrival`
  WHEN NOT EXISTS (SELECT 1 FROM `event` WHERE event_id = new.event_id)
BEGIN
  INSERT INTO `event_sequence` (account_id, last, last_stored) VALUES (new.account_id, 1, new.stored)
    ON CONFLICT (account_id) DO UPDATE SET last = last + 1, last_stored = max(last_stored, excluded.last_stored);
  INSERT INTO `event` (account_id, sequence, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
    SELECT new.account_id, last, new.event_id, new.type, new.time, new.user_id, new.tracker_id, new.private_to, new.subject,
      new.data, last_stored FROM `event_sequence` WHERE account_id = new.account_id;
END;
--> statement-breakpoint
-- Every entry of the audit log that has a type becomes an event in the same transaction.
CREATE TRIGGER `audit_event` AFTER INSERT ON `audit` WHEN new.event_type IS NOT NULL BEGIN
  INSERT INTO `event_arrival` (account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
    VALUES (new.account_id, new.event_id, new.event_type, new.action_date, new.user_id, new.event_tracker_id, NULL,
      new.entry_category || ':' || coalesce(new.entry_id, ''), json_set(coalesce(new.payload, '{}'), '$.id', new.entry_id),
      new.action_date);
END;
