DROP INDEX `jobs_of_batch`;--> statement-breakpoint
CREATE INDEX `jobs_of_batch_by_state` ON `jobs` (`batch_id`,`status`,`batch_position`) WHERE batch_id IS NOT NULL;