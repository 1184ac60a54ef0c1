CREATE TABLE `account_departures` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`target` integer NOT NULL,
	`left_at` integer NOT NULL
);
