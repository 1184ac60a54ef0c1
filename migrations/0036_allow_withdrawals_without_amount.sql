PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_refunds` (
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
	CONSTRAINT "refunds_amount" CHECK("__new_refunds"."amount_cents" >= 0)
);
--> statement-breakpoint
INSERT INTO `__new_refunds`("id", "order_id", "account_id", "status", "moves", "reason", "amount_cents", "currency", "credits_removed", "credits_withdrawn", "note", "provider_reference", "created_at", "finished_at", "next_poll_at") SELECT "id", "order_id", "account_id", "status", "moves", "reason", "amount_cents", "currency", "credits_removed", "credits_withdrawn", "note", "provider_reference", "created_at", "finished_at", "next_poll_at" FROM `refunds`;--> statement-breakpoint
DROP TABLE `refunds`;--> statement-breakpoint
ALTER TABLE `__new_refunds` RENAME TO `refunds`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `refunds_account` ON `refunds` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `refunds_reference` ON `refunds` (`provider_reference`);--> statement-breakpoint
CREATE INDEX `refunds_poll` ON `refunds` (`next_poll_at`) WHERE next_poll_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_open` ON `refunds` (`order_id`) WHERE status IN ('requested', 'processing', 'awaiting_payout');