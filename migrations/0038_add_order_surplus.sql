ALTER TABLE `orders` ADD `undelivered_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `surplus_credited_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_surplus` ON `orders` (`created_at`) WHERE credited_at IS NOT NULL
  AND actually_paid_cents > refused_cents + amount_cents - undelivered_cents + surplus_credited_cents;