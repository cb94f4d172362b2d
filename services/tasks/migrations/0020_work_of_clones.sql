-- What changes for a clone changes for the tracker whose points it shows.
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
-- A clone may have work before it is known as one.
CREATE TRIGGER `work_of_known_clone` AFTER INSERT ON `tracker_clone` WHEN EXISTS (SELECT 1 FROM `tracker_work` WHERE account_id = new.account_id AND tracker_id = new.tracker_id) BEGIN
  INSERT INTO `tracker_work` (account_id, tracker_id, revision)
    VALUES (new.feed_account_id, new.feed_tracker_id, (SELECT coalesce(max(revision), 0) + 1 FROM `tracker_work` WHERE account_id = new.feed_account_id))
    ON CONFLICT (account_id, tracker_id) DO UPDATE SET revision = excluded.revision;
END;
