CREATE TABLE `template_versions` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`service_slug` text NOT NULL,
	`operations` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `version`)
);
--> statement-breakpoint
CREATE TABLE `templates` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `batches` ADD `template` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `template` text;