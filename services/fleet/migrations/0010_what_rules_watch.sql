-- What rules watch and no point tells, whoever tells history of it. Events that rules made are no cause of others.
CREATE TRIGGER `activity_of_task` AFTER INSERT ON `event`
  WHEN new.rule_id IS NULL AND new.event IN (
    'task_arrived', 'task_completed', 'task_delayed', 'task_failed', 'task_form_submitted',
    'checkpoint_arrived', 'checkpoint_completed', 'checkpoint_delayed', 'checkpoint_failed',
    'route_completed', 'route_faulty', 'route_failed') BEGIN
  INSERT OR IGNORE INTO `activity` (activity_id, account_id, tracker_id, event, time, is_repeated, extra)
    VALUES (new.event_id, new.account_id, new.tracker_id, new.event, new.time,
      -- Events of one form have ids that differ behind the last hyphen; a full stop comes behind it.
      new.event = 'task_form_submitted' AND EXISTS (SELECT 1 FROM `event` AS earlier
        WHERE earlier.event_id > rtrim(new.event_id, '0123456789')
        AND earlier.event_id < rtrim(rtrim(new.event_id, '0123456789'), '-') || '.' AND earlier.id < new.id),
      new.extra);
END;
--> statement-breakpoint
CREATE TRIGGER `activity_of_status` AFTER INSERT ON `status_change` WHEN new.new_status_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO `activity` (activity_id, account_id, tracker_id, event, time, status_id, extra)
    VALUES ('status-' || new.id, new.account_id, new.tracker_id, 'work_status_change', new.changed, new.new_status_id, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `gauge_changed` AFTER UPDATE ON `sensor` BEGIN
  INSERT INTO `gauge_change` (account_id, revision) VALUES (new.account_id, 1)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `gauge_deleted` AFTER DELETE ON `sensor` BEGIN
  INSERT INTO `gauge_change` (account_id, revision) VALUES (old.account_id, 1)
    ON CONFLICT (account_id) DO UPDATE SET revision = revision + 1;
END;
