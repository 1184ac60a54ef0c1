ALTER TABLE `jobs` ADD `result_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_result_id` ON `jobs` (`result_id`) WHERE result_id IS NOT NULL;