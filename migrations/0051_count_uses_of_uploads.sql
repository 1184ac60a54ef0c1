DROP INDEX `uploads_unused_of_account`;--> statement-breakpoint
DROP INDEX `uploads_unused_of_address`;--> statement-breakpoint
ALTER TABLE `uploads` ADD `block_key` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `readers` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `uploads` ADD `uses` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `uploads` ADD `put_expires_at` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `uploads_unused_of_block` ON `uploads` (`block_key`,`expires_at`,`size_bytes`) WHERE uses = 0 AND block_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `uploads_unused_of_account` ON `uploads` (`account_id`,`expires_at`,`size_bytes`) WHERE uses = 0;--> statement-breakpoint
CREATE INDEX `uploads_unused_of_address` ON `uploads` (`address_key`,`expires_at`,`size_bytes`) WHERE uses = 0;