CREATE TABLE `receipt_gaps` (
	`series` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`restored_at` integer NOT NULL,
	PRIMARY KEY(`series`, `first`)
);
--> statement-breakpoint
ALTER TABLE `unmatched_events` ADD `payback_notice` text;