ALTER TABLE `subscriptions` ADD `cancel_token` text;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_cancel_token` ON `subscriptions` (`cancel_token`);--> statement-breakpoint
UPDATE `subscriptions` SET `cancel_token` = lower(hex(randomblob(24))) WHERE `mandate` IS NOT NULL AND `ended_at` IS NULL;
