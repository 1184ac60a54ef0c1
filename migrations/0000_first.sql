CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`full_name` text,
	`password_hash` text,
	`email_verified_at` integer,
	`is_admin` integer DEFAULT false NOT NULL,
	`payments_enabled` integer DEFAULT true NOT NULL,
	`blocked_at` integer,
	`locale` text DEFAULT 'en' NOT NULL,
	`session_epoch` integer DEFAULT 1 NOT NULL,
	`kept_session` text,
	`idp_issuer` text,
	`idp_subject` text,
	`subscribed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_key_unique` ON `accounts` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_identity` ON `accounts` (`idp_issuer`,`idp_subject`);--> statement-breakpoint
CREATE TABLE `allocations` (
	`account_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`grant_sequence` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`account_id`, `sequence`, `grant_sequence`),
	FOREIGN KEY (`account_id`,`sequence`) REFERENCES `ledger`(`account_id`,`sequence`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "allocations_amount" CHECK("allocations"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`revoked_at` integer,
	`max_per_day` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `callbacks_age` ON `callbacks` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `email_codes` (
	`account_id` integer NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`guesses` integer DEFAULT 0 NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`account_id`, `number`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `favorites` (
	`account_id` integer NOT NULL,
	`operation_id` integer NOT NULL,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `operation_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`operation_id`) REFERENCES `operations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `grants` (
	`account_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`left` integer NOT NULL,
	`expires_at` integer,
	`granted_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `sequence`),
	FOREIGN KEY (`account_id`,`sequence`) REFERENCES `ledger`(`account_id`,`sequence`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "grants_left" CHECK("grants"."left" >= 0 AND "grants"."left" <= "grants"."amount")
);
--> statement-breakpoint
CREATE INDEX `grants_live` ON `grants` (`account_id`,`expires_at`) WHERE "left" > 0;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`owner` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`locked_until` integer NOT NULL,
	`completions` integer DEFAULT 0 NOT NULL,
	`status` integer,
	`answer` text,
	PRIMARY KEY(`owner`, `key`),
	CONSTRAINT "idempotency_keys_once" CHECK("idempotency_keys"."completions" IN (0, 1))
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `idp_flows` (
	`state` text PRIMARY KEY NOT NULL,
	`nonce` text NOT NULL,
	`code_verifier` text NOT NULL,
	`browser_hash` text NOT NULL,
	`mode` text NOT NULL,
	`next` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idp_flows_expiry` ON `idp_flows` (`expires_at`);--> statement-breakpoint
CREATE TABLE `job_moves` (
	`job_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`job_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`key_id` integer,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`params` text NOT NULL,
	`dispatch` text NOT NULL,
	`source` text NOT NULL,
	`status` text NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`estimated_cost` integer NOT NULL,
	`final_cost` integer,
	`processing_ms` integer,
	`error` text,
	`error_code` text,
	`result` text,
	`webhook_url` text,
	`repeat_of` text,
	`moves` integer NOT NULL,
	`fence` integer DEFAULT 0 NOT NULL,
	`heard_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`expires_at` integer,
	`purged_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `jobs_key` ON `jobs` (`key_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_expiry` ON `jobs` (`expires_at`) WHERE result IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_account` ON `jobs` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`heard_at`) WHERE status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `jobs_open_of_account` ON `jobs` (`account_id`) WHERE status IN ('queued', 'processing');--> statement-breakpoint
CREATE TABLE `ledger` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`entry_type` text NOT NULL,
	`amount` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`expires_at` integer,
	`job_id` text,
	`order_id` text,
	`note` text,
	`cause` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_balance" CHECK("ledger"."balance_after" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_cause_unique` ON `ledger` (`cause`);--> statement-breakpoint
CREATE INDEX `ledger_job` ON `ledger` (`job_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_order` ON `ledger` (`account_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `operations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`enabled` integer NOT NULL,
	`credits_per_call` integer NOT NULL,
	`presets` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operations_address` ON `operations` (`service_slug`,`operation_key`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`credits` integer NOT NULL,
	`price_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`retired_at` integer,
	CONSTRAINT "packages_positive" CHECK("packages"."price_cents" > 0 AND "packages"."credits" > 0)
);
--> statement-breakpoint
CREATE TABLE `plans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`price_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`period_credits` integer NOT NULL,
	`period_days` integer NOT NULL,
	`priority` integer NOT NULL,
	`requests_per_minute` integer NOT NULL,
	`requests_per_day` integer NOT NULL,
	`in_flight_max` integer NOT NULL,
	`throttled` integer DEFAULT false NOT NULL,
	`retired_at` integer,
	CONSTRAINT "plans_positive" CHECK("plans"."price_cents" > 0 AND "plans"."period_credits" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_slug_unique` ON `plans` (`slug`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`anonymous_key` text,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`kind` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_expiry` ON `uploads` (`expires_at`);--> statement-breakpoint
CREATE TABLE `usage_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`source` text NOT NULL,
	`action` text NOT NULL,
	`service_slug` text,
	`operation_key` text,
	`job_id` text,
	`credits` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `usage_events_account` ON `usage_events` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`job_id` text NOT NULL,
	`type` text NOT NULL,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`response_status` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`retry_until` integer NOT NULL,
	`last_attempt_at` integer,
	`next_attempt_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_account` ON `webhook_deliveries` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
