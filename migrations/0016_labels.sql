DROP INDEX `batches_account`;--> statement-breakpoint
ALTER TABLE `batches` ADD `tag` text;--> statement-breakpoint
ALTER TABLE `batches` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `batches_listed` ON `batches` (`account_id`,`created_at`,`id`,`service_slug`,`operation_key`);--> statement-breakpoint
CREATE INDEX `batches_tagged` ON `batches` (`account_id`,`tag`,`created_at`,`id`,`service_slug`,`operation_key`) WHERE tag IS NOT NULL;--> statement-breakpoint
DROP INDEX `jobs_account`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `tag` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_listed` ON `jobs` (`account_id`,`created_at`,`id`,`status`,`service_slug`,`operation_key`);--> statement-breakpoint
CREATE INDEX `jobs_tagged` ON `jobs` (`account_id`,`tag`,`created_at`,`id`,`status`,`service_slug`,`operation_key`) WHERE tag IS NOT NULL;--> statement-breakpoint
ALTER TABLE `upload_sessions` ADD `tag` text;--> statement-breakpoint
ALTER TABLE `upload_sessions` ADD `metadata` text DEFAULT '{}' NOT NULL;