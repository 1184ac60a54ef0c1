CREATE TABLE `restores` (
	`restored_at` integer PRIMARY KEY NOT NULL,
	`backup_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `public_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `accounts` SET `public_key` = lower(hex(randomblob(16)));--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_public_key_unique` ON `accounts` (`public_key`);--> statement-breakpoint
-- An older Worker inserts accounts without a key.
CREATE TRIGGER accounts_public_key AFTER INSERT ON accounts WHEN NEW.public_key = ''
BEGIN UPDATE accounts SET public_key = lower(hex(randomblob(16))) WHERE id = NEW.id; END;
