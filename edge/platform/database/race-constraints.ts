/**
 * Constraints that concurrent writers can violate although each decided correctly: the later one used
 * outdated facts, and retries. Names are as in SQLite's errors. The violation of any other constraint is a
 * defect.
 */
export const RACE_CONSTRAINTS: readonly string[] = [
  'commit_guards_hold',
  // One writer per account: the next ledger entry. One effect per cause.
  'ledger.account_id, ledger.sequence',
  'ledger.cause',
  // One transition from each state.
  'job_moves.job_id, job_moves.number',
  'order_moves.order_id, order_moves.number',
  'refund_moves.refund_id, refund_moves.number',
  'subscription_moves.subscription_id, subscription_moves.number',
  // The next number or id: a concurrent writer must count the first one.
  'api_keys.id',
  'audit.id',
  'email_codes.account_id, email_codes.number',
  'feedback.id',
  'jobs.anonymous_key, jobs.anonymous_number',
  'list_prices.item_kind, list_prices.item_id, list_prices.from',
  'term_months.subscription_id, term_months.number',
  // At most one of a kind.
  'accounts.idp_issuer, accounts.idp_subject',
  'refunds.order_id',
  'subscriptions.account_id',
  // The same event, report, message or charge, handled twice concurrently.
  'callbacks.id',
  'feedback.day, feedback.message_hash',
  'messenger_updates.bot_id, messenger_updates.update_id',
  'orders.provider, orders.provider_reference',
  'payment_events.provider, payment_events.id',
  // Used, completed or settled once.
  'idempotency_keys_once',
  'term_months_once',
  'unmatched_events_once',
  'upload_sessions_once',
]

/** Message of the trigger `ledger_continues`, which runs before the constraint on the sequence. */
export const RACE_TRIGGER = 'UNIQUE: another entry was written first'
