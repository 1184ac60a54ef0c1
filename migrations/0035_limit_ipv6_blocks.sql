ALTER TABLE `feedback` ADD `block` text;--> statement-breakpoint
CREATE INDEX `feedback_block` ON `feedback` (`block`,`created_at`) WHERE block IS NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `anonymous_block` text;--> statement-breakpoint
CREATE INDEX `jobs_open_of_block` ON `jobs` (`anonymous_block`) WHERE anonymous_block IS NOT NULL AND status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `jobs_unpaid_of_block` ON `jobs` (`anonymous_block`,`finished_at`,`processing_ms`) WHERE anonymous_block IS NOT NULL AND status IN ('failed', 'canceled') AND processing_ms > 0;