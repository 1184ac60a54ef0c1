CREATE TABLE `commit_guards` (
	`holds` integer NOT NULL,
	CONSTRAINT "commit_guards_hold" CHECK("commit_guards"."holds" = 1)
);
