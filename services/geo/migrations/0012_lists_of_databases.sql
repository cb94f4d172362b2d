CREATE TABLE `tracker_database` (
	`position` integer PRIMARY KEY NOT NULL,
	`first_tracker_id` integer NOT NULL,
	`mark` text NOT NULL,
	`is_here` integer NOT NULL
);
--> statement-breakpoint
-- Whoever writes points by another list than this one may not: they would not be found again. They wait in their feed.
CREATE TRIGGER `chunk_in_its_database` BEFORE INSERT ON `chunk` WHEN EXISTS (
  SELECT 1 FROM `tracker_database` WHERE is_here AND position <> 1 + new.tracker_id %
    (SELECT count(*) FROM `tracker_database` WHERE first_tracker_id <= new.tracker_id)
) BEGIN
  SELECT RAISE(ABORT, 'the points of this tracker are in another database');
END;
