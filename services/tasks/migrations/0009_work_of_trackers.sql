-- A route has no place of its own: its checkpoints are where its tracker is expected.
INSERT INTO `tracker_work` (account_id, tracker_id, revision)
  SELECT account_id, tracker_id, row_number() OVER (PARTITION BY account_id ORDER BY tracker_id)
  FROM (SELECT DISTINCT account_id, tracker_id FROM `task` WHERE tracker_id IS NOT NULL AND type <> 'route');
--> statement-breakpoint
CREATE TRIGGER `tracker_work_insert` AFTER INSERT ON `task` WHEN new.tracker_id IS NOT NULL AND new.type <> 'route' BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (new.account_id, new.tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = new.account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
--> statement-breakpoint
-- Also the tracker that has it no more.
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
