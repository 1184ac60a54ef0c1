CREATE TABLE `billing_details` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`name` text,
	`address` text,
	`postal_code` text,
	`city` text,
	`country` text,
	`vat_id` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `receipt_series` (
	`series` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `receipts` (
	`series` text NOT NULL,
	`number` integer NOT NULL,
	`account_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`refund_id` text,
	`token` text NOT NULL,
	`locale` text NOT NULL,
	`content` text NOT NULL,
	`issued_at` integer NOT NULL,
	PRIMARY KEY(`series`, `number`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `refunds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_token_unique` ON `receipts` (`token`);--> statement-breakpoint
CREATE INDEX `receipts_account` ON `receipts` (`account_id`,`issued_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_order` ON `receipts` (`order_id`) WHERE refund_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_refund` ON `receipts` (`refund_id`);--> statement-breakpoint
CREATE TRIGGER receipts_no_update BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
