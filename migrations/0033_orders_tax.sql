ALTER TABLE `orders` ADD `total_cents` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_cents` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `total_currency` text;