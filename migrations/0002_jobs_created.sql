DROP INDEX `jobs_key`;--> statement-breakpoint
CREATE INDEX `jobs_created` ON `jobs` (`created_at`,`id`);