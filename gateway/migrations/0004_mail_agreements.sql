CREATE TABLE `mail_agreement` (
	`account_id` integer NOT NULL,
	`address` text NOT NULL,
	`agreed` integer DEFAULT false NOT NULL,
	`asked` integer NOT NULL,
	PRIMARY KEY(`account_id`, `address`)
);
