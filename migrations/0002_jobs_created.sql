DROP INDEX `jobs_key`;--> statement-breakpoint
CREATE INDEX `jobs_created` ON `jobs` (`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `jobs` DROP COLUMN `key_id`;