CREATE TABLE `mailbox_grants` (
	`mailbox_hash` text PRIMARY KEY NOT NULL,
	`welcome_used` integer NOT NULL,
	`daily_free_from` integer,
	`retired_at` integer
);
--> statement-breakpoint
CREATE INDEX `mailbox_grants_retired` ON `mailbox_grants` (`retired_at`) WHERE retired_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `address_hash` text DEFAULT '' NOT NULL;