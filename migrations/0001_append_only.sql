-- The ledger, and what it took from which grant, can only grow.
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER allocations_no_update BEFORE UPDATE ON allocations BEGIN SELECT RAISE(ABORT, 'allocations are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER allocations_no_delete BEFORE DELETE ON allocations BEGIN SELECT RAISE(ABORT, 'allocations are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER job_moves_no_update BEFORE UPDATE ON job_moves BEGIN SELECT RAISE(ABORT, 'the moves of a job are append-only'); END;
--> statement-breakpoint
-- A ledger entry continues the one before it: the next number, and the balance that follows from it.
CREATE TRIGGER ledger_continues BEFORE INSERT ON ledger
WHEN NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM ledger WHERE account_id = NEW.account_id), 0)
  OR NEW.balance_after <> NEW.amount + coalesce(
    (SELECT balance_after FROM ledger WHERE account_id = NEW.account_id ORDER BY sequence DESC LIMIT 1), 0)
BEGIN SELECT RAISE(ABORT, 'UNIQUE: another entry was written first'); END;
--> statement-breakpoint
CREATE TRIGGER order_moves_no_update BEFORE UPDATE ON order_moves BEGIN SELECT RAISE(ABORT, 'the moves of an order are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER order_moves_no_delete BEFORE DELETE ON order_moves BEGIN SELECT RAISE(ABORT, 'the moves of an order are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER subscription_moves_no_update BEFORE UPDATE ON subscription_moves BEGIN SELECT RAISE(ABORT, 'the moves of a subscription are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER subscription_moves_no_delete BEFORE DELETE ON subscription_moves BEGIN SELECT RAISE(ABORT, 'the moves of a subscription are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER refund_moves_no_update BEFORE UPDATE ON refund_moves BEGIN SELECT RAISE(ABORT, 'the moves of a refund are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER refund_moves_no_delete BEFORE DELETE ON refund_moves BEGIN SELECT RAISE(ABORT, 'the moves of a refund are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER price_locks_no_update BEFORE UPDATE ON price_locks BEGIN SELECT RAISE(ABORT, 'price locks are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER price_locks_no_delete BEFORE DELETE ON price_locks BEGIN SELECT RAISE(ABORT, 'price locks are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER list_prices_no_update BEFORE UPDATE ON list_prices BEGIN SELECT RAISE(ABORT, 'list prices are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER list_prices_no_delete BEFORE DELETE ON list_prices BEGIN SELECT RAISE(ABORT, 'list prices are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
