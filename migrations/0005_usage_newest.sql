DROP INDEX `usage_events_account`;--> statement-breakpoint
CREATE INDEX `usage_events_newest` ON `usage_events` (`account_id`,`created_at`);