CREATE INDEX `withdrawals_account` ON `withdrawals` (`account_id`,`stated_at`);--> statement-breakpoint
CREATE INDEX `term_months_account` ON `term_months` (`account_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `messenger_links_account` ON `messenger_links` (`account_id`,`created_at`);