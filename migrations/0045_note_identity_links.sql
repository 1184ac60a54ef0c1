ALTER TABLE `accounts` ADD `idp_linked_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `password_set_at` integer;--> statement-breakpoint
ALTER TABLE `idp_flows` ADD `is_proven` integer DEFAULT false NOT NULL;