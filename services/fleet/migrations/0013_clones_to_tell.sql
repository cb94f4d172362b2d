INSERT INTO `untold_clone` (tracker_id, account_id, feed_account_id, feed_tracker_id)
  SELECT own.id, own.account_id, origin.account_id, origin.id
  FROM `tracker` AS own JOIN `tracker` AS origin ON origin.source_id = own.source_id AND NOT origin.clone WHERE own.clone;
--> statement-breakpoint
CREATE TRIGGER `untold_clone_insert` AFTER INSERT ON `tracker` WHEN new.clone BEGIN
  INSERT INTO `untold_clone` (tracker_id, account_id, feed_account_id, feed_tracker_id)
    SELECT new.id, new.account_id, account_id, id FROM `tracker` WHERE source_id = new.source_id AND NOT clone;
END;
--> statement-breakpoint
CREATE TRIGGER `untold_clone_delete` AFTER DELETE ON `tracker` WHEN old.clone BEGIN
  DELETE FROM `untold_clone` WHERE tracker_id = old.id;
END;
