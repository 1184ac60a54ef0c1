/**
 * The constraints that two writers can violate together though each decided correctly: the later one has decided
 * on facts that are out of date, and starts again. They are named as SQLite names them in its error. Violating any
 * other constraint is a defect.
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
  // The next number or id, which the writer has read: a second one must count the first.
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
  // The same event, report, message or charge, handled twice at once.
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

/** What the trigger `ledger_continues` says, which is checked before the constraint on the sequence. */
export const RACE_TRIGGER = 'UNIQUE: another entry was written first'
