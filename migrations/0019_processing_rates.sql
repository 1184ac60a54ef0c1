CREATE TABLE `processing_rates` (
	`service_slug` text NOT NULL,
	`operation_key` text NOT NULL,
	`jobs` integer NOT NULL,
	`seconds_mean` real NOT NULL,
	`size_mean` real NOT NULL,
	PRIMARY KEY(`service_slug`, `operation_key`)
);
