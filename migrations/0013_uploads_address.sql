DROP INDEX `uploads_open_of_anonymous`;--> statement-breakpoint
ALTER TABLE `uploads` ADD `address_key` text;--> statement-breakpoint
CREATE INDEX `uploads_open_of_address` ON `uploads` (`address_key`) WHERE kind IS NULL;