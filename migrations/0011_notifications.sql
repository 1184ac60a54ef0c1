CREATE TABLE `email_preferences` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`job_notifications` text DEFAULT 'daily' NOT NULL,
	`product_news` integer DEFAULT true NOT NULL,
	`unsubscribe_token` text NOT NULL,
	`notified_at` integer NOT NULL,
	`due_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_preferences_unsubscribe_token_unique` ON `email_preferences` (`unsubscribe_token`);--> statement-breakpoint
CREATE INDEX `email_preferences_due` ON `email_preferences` (`due_at`);--> statement-breakpoint
CREATE TABLE `product_news` (
	`id` text PRIMARY KEY NOT NULL,
	`messages` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_account_id` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
INSERT INTO `email_preferences` (`account_id`, `unsubscribe_token`, `notified_at`) SELECT `id`, lower(hex(randomblob(24))), unixepoch() * 1000 FROM `accounts` WHERE `subscribed_at` IS NOT NULL;
