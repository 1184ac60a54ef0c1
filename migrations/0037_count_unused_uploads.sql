DROP INDEX `uploads_open_of_account`;--> statement-breakpoint
DROP INDEX `uploads_open_of_address`;--> statement-breakpoint
ALTER TABLE `uploads` ADD `etag` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `used_at` integer;--> statement-breakpoint
CREATE INDEX `uploads_unused_of_account` ON `uploads` (`account_id`,`expires_at`,`size_bytes`) WHERE used_at IS NULL;--> statement-breakpoint
CREATE INDEX `uploads_unused_of_address` ON `uploads` (`address_key`,`expires_at`,`size_bytes`) WHERE used_at IS NULL;