/**
 * Constraints that concurrent writers can violate even though each decided correctly: the later writer used
 * outdated facts and retries. The names match SQLite's error messages. A violation of any other constraint is a
 * defect.
 */
export const RACE_CONSTRAINTS: readonly string[] = [
  'commit_guards_hold',
  // Only one writer per account can add the next ledger entry, and each cause can add only one entry.
  'ledger.account_id, ledger.sequence',
  'ledger.cause',
  // Only one transition can leave each state.
  'job_moves.job_id, job_moves.number',
  'order_moves.order_id, order_moves.number',
  'refund_moves.refund_id, refund_moves.number',
  'subscription_moves.subscription_id, subscription_moves.number',
  // The next number or id: the later writer must count the first writer's row.
  'api_keys.id',
  'audit.id',
  'email_codes.account_id, email_codes.number',
  'feedback.id',
  'jobs.anonymous_key, jobs.anonymous_number',
  'list_prices.item_kind, list_prices.item_id, list_prices.from',
  'term_months.subscription_id, term_months.number',
  // Only one row of each kind can exist.
  'accounts.idp_issuer, accounts.idp_subject',
  'refunds.order_id',
  'storage_connections.account_id, storage_connections.name',
  'subscriptions.account_id',
  // The same event, report, message or charge was handled twice concurrently.
  'callbacks.id',
  'feedback.day, feedback.message_hash',
  'messenger_updates.bot_id, messenger_updates.update_id',
  'orders.provider, orders.provider_reference',
  'password_resets.request_id',
  'payment_events.provider, payment_events.id',
  // These rows can be used, completed or settled only once.
  'idempotency_keys_once',
  'term_months_once',
  'unmatched_events_once',
  'upload_sessions_once',
]

/** Message of the trigger `ledger_continues`, which runs before the sequence constraint is checked. */
export const RACE_TRIGGER = 'UNIQUE: another entry was written first'
