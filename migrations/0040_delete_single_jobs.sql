DROP INDEX `jobs_listed`;--> statement-breakpoint
DROP INDEX `jobs_tagged`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `jobs_listed` ON `jobs` (`account_id`,`created_at`,`id`,`status`,`service_slug`,`operation_key`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `jobs_tagged` ON `jobs` (`account_id`,`tag`,`created_at`,`id`,`status`,`service_slug`,`operation_key`,`deleted_at`) WHERE tag IS NOT NULL;