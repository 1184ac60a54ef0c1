CREATE TABLE `ended_sessions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_sessions_expiry` ON `ended_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `retired_addresses` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`welcome_used` integer NOT NULL,
	`daily_free_from` integer,
	`retired_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`request_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_token_hash_unique` ON `password_resets` (`token_hash`);--> statement-breakpoint
CREATE INDEX `password_resets_account` ON `password_resets` (`account_id`);--> statement-breakpoint
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `welcome_used` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `daily_free_from` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `deleted_at` integer;