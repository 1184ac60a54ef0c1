CREATE TABLE `unmatched_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`about` text NOT NULL,
	`event` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`settlements` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`outcome` text,
	`note` text,
	CONSTRAINT "unmatched_events_once" CHECK("unmatched_events"."settlements" IN (0, 1))
);
--> statement-breakpoint
CREATE INDEX `unmatched_events_open` ON `unmatched_events` (`provider`,`about`) WHERE settled_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `unmatched_events_event` ON `unmatched_events` (`provider`,`event_id`);