CREATE TABLE `account_arrivals` (
	`move_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`table_name` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_moves` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`move_id` text NOT NULL,
	`target` integer NOT NULL,
	`state` text NOT NULL,
	`started_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_places` (
	`name` text PRIMARY KEY NOT NULL,
	`database` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `id_blocks` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`database` integer NOT NULL
);
