CREATE TABLE `account_databases` (
	`number` integer PRIMARY KEY NOT NULL,
	`accepts_from` integer
);
--> statement-breakpoint
INSERT INTO `account_databases` (`number`, `accepts_from`) SELECT DISTINCT `database`, 0 FROM `id_blocks` WHERE `database` > 0;
