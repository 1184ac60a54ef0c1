DROP INDEX `receipts_order`;--> statement-breakpoint
ALTER TABLE `receipts` ADD `earlier_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_order` ON `receipts` (`order_id`,`earlier_cents`) WHERE refund_id IS NULL;