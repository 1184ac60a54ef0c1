ALTER TABLE `unmatched_events` ADD `reason` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `unmatched_events` ADD `payback` text;--> statement-breakpoint
ALTER TABLE `unmatched_events` ADD `payback_reference` text;--> statement-breakpoint
ALTER TABLE `unmatched_events` ADD `payback_poll_at` integer;--> statement-breakpoint
CREATE INDEX `unmatched_events_payback` ON `unmatched_events` (`payback_poll_at`) WHERE payback_poll_at IS NOT NULL;