ALTER TABLE `orders` ADD `refused_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `orders` SET `refused_cents` = `actually_paid_cents` WHERE `status` = 'refused';
