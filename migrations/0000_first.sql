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
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`administrator_id` integer NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`administrator_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_target` ON `audit` (`target`,`id`);--> statement-breakpoint
CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`params` text NOT NULL,
	`total` integer NOT NULL,
	`stopped` text,
	`error` text,
	`repeat_of` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `batches_account` ON `batches` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `messenger_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`bot_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`job_id` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_by` text,
	`claimed_until` integer,
	`used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `messenger_links_expiry` ON `messenger_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `messenger_updates` (
	`bot_id` integer NOT NULL,
	`update_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`bot_id`, `update_id`)
);
--> statement-breakpoint
CREATE INDEX `messenger_updates_age` ON `messenger_updates` (`created_at`);--> statement-breakpoint
CREATE TABLE `upload_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`status` text NOT NULL,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`params` text NOT NULL,
	`allowed_mime_types` text NOT NULL,
	`max_size_bytes` integer NOT NULL,
	`webhook_url` text,
	`note` text,
	`upload_key` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`job_id` text,
	`error` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "upload_sessions_once" CHECK("upload_sessions"."uses" IN (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `upload_sessions_token_hash_unique` ON `upload_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `upload_sessions_account` ON `upload_sessions` (`account_id`,`created_at`);--> statement-breakpoint
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
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `callbacks_age` ON `callbacks` (`created_at`,`id`);--> statement-breakpoint
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
CREATE INDEX `webhook_deliveries_state` ON `webhook_deliveries` (`account_id`,`status`,`attempts`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `feedback` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sender` text NOT NULL,
	`network` text,
	`message_hash` text NOT NULL,
	`day` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_sender` ON `feedback` (`sender`,`created_at`);--> statement-breakpoint
CREATE INDEX `feedback_network` ON `feedback` (`network`,`created_at`);--> statement-breakpoint
CREATE INDEX `feedback_age` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `feedback_once` ON `feedback` (`day`,`message_hash`);--> statement-breakpoint
CREATE TABLE `web_days` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`path` text NOT NULL,
	`events` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`day`, `name`, `path`)
);
--> statement-breakpoint
CREATE TABLE `web_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch` text NOT NULL,
	`number` integer NOT NULL,
	`visitor_id` text,
	`name` text NOT NULL,
	`path` text,
	`referrer` text,
	`props` text,
	`occurred_at` integer NOT NULL,
	`day` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `web_events_day` ON `web_events` (`day`);--> statement-breakpoint
CREATE UNIQUE INDEX `web_events_once` ON `web_events` (`batch`,`number`);--> statement-breakpoint
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
	`anonymous_key` text,
	`anonymous_number` integer,
	`batch_id` text,
	`batch_position` integer,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`params` text NOT NULL,
	`dispatch` text NOT NULL,
	`source` text NOT NULL,
	`status` text NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`estimated_cost` integer NOT NULL,
	`tariff` text NOT NULL,
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
CREATE INDEX `jobs_stored` ON `jobs` (`account_id`) WHERE result IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_of_anonymous` ON `jobs` (`anonymous_key`,`anonymous_number`) WHERE anonymous_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_open_of_anonymous` ON `jobs` (`anonymous_key`) WHERE anonymous_key IS NOT NULL AND status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `jobs_of_batch` ON `jobs` (`batch_id`,`batch_position`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `uploads_account` ON `uploads` (`account_id`);--> statement-breakpoint
CREATE TABLE `usage_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
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
CREATE INDEX `grants_live` ON `grants` (`account_id`,CASE WHEN "expires_at" IS NULL THEN 9007199254740991 ELSE "expires_at" END,CASE "kind" WHEN 'daily_free' THEN 0 WHEN 'signup_bonus' THEN 1 WHEN 'subscription' THEN 2 WHEN 'purchase' THEN 3 WHEN 'adjust' THEN 4 END,`sequence`) WHERE "left" > 0;--> statement-breakpoint
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
CREATE INDEX `ledger_order` ON `ledger` (`order_id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ledger_daily` ON `ledger` (`account_id`,`expires_at`) WHERE entry_type = 'daily_free';--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_sequence` ON `ledger` (`account_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`credits` integer NOT NULL,
	`price_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`badge` text,
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
	`badge` text,
	`retired_at` integer,
	CONSTRAINT "plans_positive" CHECK("plans"."price_cents" > 0 AND "plans"."period_credits" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_slug_unique` ON `plans` (`slug`);--> statement-breakpoint
CREATE TABLE `order_moves` (
	`order_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`moves` integer DEFAULT 1 NOT NULL,
	`provider` text NOT NULL,
	`plan_id` integer,
	`package_id` integer,
	`item_name` text NOT NULL,
	`credits` integer NOT NULL,
	`months` integer,
	`credits_per_month` integer,
	`period_days` integer,
	`monthly_rate_cents` integer,
	`extends_term` integer DEFAULT false NOT NULL,
	`bundle_item_name` text,
	`bundle_credits` integer,
	`bundle_amount_cents` integer,
	`bundle_discount_pct` integer,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`actually_paid_cents` integer DEFAULT 0 NOT NULL,
	`auto_renew` integer DEFAULT false NOT NULL,
	`renewal_of` text,
	`consent_locale` text,
	`terms_version` text NOT NULL,
	`provider_reference` text,
	`redirect_url` text,
	`created_at` integer NOT NULL,
	`credited_at` integer,
	`next_poll_at` integer,
	`polls` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_amount" CHECK("orders"."amount_cents" > 0 AND "orders"."actually_paid_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_poll` ON `orders` (`next_poll_at`) WHERE next_poll_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_credited` ON `orders` (`credited_at`,`status`,`plan_id`,`package_id`) WHERE credited_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reference` ON `orders` (`provider`,`provider_reference`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`provider` text NOT NULL,
	`id` text NOT NULL,
	`about` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `id`)
);
--> statement-breakpoint
CREATE TABLE `part_uploads` (
	`key` text PRIMARY KEY NOT NULL,
	`upload_id` text NOT NULL,
	`part_bytes` integer NOT NULL,
	`part_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE INDEX `part_uploads_expiry` ON `part_uploads` (`expires_at`);--> statement-breakpoint
CREATE TABLE `list_prices` (
	`item_kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`price_cents` integer NOT NULL,
	`from` integer NOT NULL,
	PRIMARY KEY(`item_kind`, `item_id`, `from`)
);
--> statement-breakpoint
CREATE TABLE `plan_terms` (
	`plan_id` integer NOT NULL,
	`months` integer NOT NULL,
	`discount_pct` integer NOT NULL,
	PRIMARY KEY(`plan_id`, `months`),
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "plan_terms_range" CHECK("plan_terms"."months" BETWEEN 1 AND 36 AND "plan_terms"."discount_pct" BETWEEN 0 AND 90)
);
--> statement-breakpoint
CREATE TABLE `promotions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`discount_pct` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "promotions_range" CHECK("promotions"."discount_pct" BETWEEN 1 AND 90 AND "promotions"."ends_at" >= "promotions"."starts_at")
);
--> statement-breakpoint
CREATE INDEX `promotions_item` ON `promotions` (`item_kind`,`item_id`,`ends_at`);--> statement-breakpoint
CREATE TABLE `refund_moves` (
	`refund_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`refund_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`status` text NOT NULL,
	`moves` integer DEFAULT 1 NOT NULL,
	`reason` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`credits_removed` integer NOT NULL,
	`credits_withdrawn` integer NOT NULL,
	`note` text,
	`provider_reference` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`next_poll_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_account` ON `refunds` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `refunds_reference` ON `refunds` (`provider_reference`);--> statement-breakpoint
CREATE INDEX `refunds_poll` ON `refunds` (`next_poll_at`) WHERE next_poll_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_open` ON `refunds` (`order_id`) WHERE status IN ('requested', 'processing', 'awaiting_payout');--> statement-breakpoint
CREATE TABLE `withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`account_id` integer NOT NULL,
	`statement` text NOT NULL,
	`stated_at` integer NOT NULL,
	`confirmed_at` integer,
	`refund_id` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `refunds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `account_activity` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`last_day` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_activity_day` ON `account_activity` (`last_day`);--> statement-breakpoint
CREATE TABLE `request_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` text NOT NULL,
	`account_id` integer,
	`key_id` integer,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`status` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`source` text NOT NULL,
	`ip_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_logs_account` ON `request_logs` (`account_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `request_logs_once` ON `request_logs` (`request_id`);--> statement-breakpoint
CREATE TABLE `rollups` (
	`name` text PRIMARY KEY NOT NULL,
	`through` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`account_id` integer NOT NULL,
	`day` integer NOT NULL,
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`submissions` integer NOT NULL,
	`done` integer NOT NULL,
	`failed` integer NOT NULL,
	`canceled` integer NOT NULL,
	`spent` integer NOT NULL,
	`refunded` integer NOT NULL,
	`processing_ms` integer NOT NULL,
	`measured` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `service_slug`, `operation_key`)
);
--> statement-breakpoint
CREATE TABLE `price_locks` (
	`account_id` integer NOT NULL,
	`plan_id` integer NOT NULL,
	`monthly_rate_cents` integer NOT NULL,
	`credits_per_month` integer NOT NULL,
	`locked_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `plan_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_moves` (
	`subscription_id` text NOT NULL,
	`number` integer NOT NULL,
	`renewal_status` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`plan_id` integer NOT NULL,
	`moves` integer DEFAULT 1 NOT NULL,
	`started_at` integer NOT NULL,
	`period_end` integer NOT NULL,
	`renewal_status` text NOT NULL,
	`provider` text NOT NULL,
	`mandate` text,
	`renewal_amount_cents` integer,
	`renewal_currency` text,
	`renewal_months` integer,
	`renews_at` integer,
	`grace_until` integer,
	`noticed_for` integer,
	`charge_asked_at` integer,
	`consent_locale` text,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running` ON `subscriptions` (`account_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_end` ON `subscriptions` (`period_end`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_renews` ON `subscriptions` (`renews_at`) WHERE ended_at IS NULL AND renews_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_unasked` ON `subscriptions` (`renewal_status`) WHERE mandate IS NOT NULL AND charge_asked_at IS NULL AND renewal_status IN ('cancelling', 'ended');--> statement-breakpoint
CREATE INDEX `subscriptions_account` ON `subscriptions` (`account_id`,`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_mandate` ON `subscriptions` (`provider`,`mandate`);--> statement-breakpoint
CREATE TABLE `term_months` (
	`subscription_id` text NOT NULL,
	`number` integer NOT NULL,
	`account_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`credits` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`grant_sequence` integer,
	`withdrawn_by` text,
	PRIMARY KEY(`subscription_id`, `number`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "term_months_positive" CHECK("term_months"."credits" > 0 AND "term_months"."ends_at" > "term_months"."starts_at"),
	CONSTRAINT "term_months_once" CHECK("term_months"."grant_sequence" IS NULL OR "term_months"."withdrawn_by" IS NULL)
);
--> statement-breakpoint
CREATE INDEX `term_months_due` ON `term_months` (`account_id`,`starts_at`) WHERE grant_sequence IS NULL AND withdrawn_by IS NULL;--> statement-breakpoint
CREATE INDEX `term_months_start` ON `term_months` (`starts_at`) WHERE grant_sequence IS NULL AND withdrawn_by IS NULL;--> statement-breakpoint
CREATE INDEX `term_months_order` ON `term_months` (`order_id`);