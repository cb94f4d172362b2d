CREATE TABLE `gazetteer_edition` (
	`edition` text PRIMARY KEY NOT NULL,
	`least` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `gazetteer_place` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`province` text,
	`province_folded` text,
	`population` integer NOT NULL,
	`lat` real NOT NULL,
	`lng` real NOT NULL,
	`cell` integer NOT NULL,
	`block` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `gazetteer_place_cell` ON `gazetteer_place` (`cell`);--> statement-breakpoint
CREATE INDEX `gazetteer_place_block` ON `gazetteer_place` (`block`) WHERE population >= 15000;--> statement-breakpoint
CREATE VIRTUAL TABLE `gazetteer_text` USING fts5(names, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0');
