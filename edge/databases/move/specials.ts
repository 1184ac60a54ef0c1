import type { EffectKind } from '../../platform/outbox/queries.ts'
import { describeTable } from '../table-owners.ts'
import type { CopiedTable } from './staging.ts'

const OF_JOB = `(SELECT j.account_id FROM jobs j WHERE j.id = payload ->> 'job_id')`
const GIVEN = `(payload ->> 'account_id')`

/** The account of an effect in the outbox, as SQL; null for effects that any database can send. */
const EFFECT_ACCOUNTS: Record<EffectKind, string | null> = {
  dispatch: OF_JOB,
  cancel: OF_JOB,
  cancel_open: GIVEN,
  erase: GIVEN,
  webhook: `(SELECT d.account_id FROM webhook_deliveries d WHERE d.id = payload ->> 'delivery_id')`,
  refund: `(SELECT r.account_id FROM refunds r WHERE r.id = payload ->> 'refund_id')`,
  checkout: `(SELECT o.account_id FROM orders o WHERE o.id = payload ->> 'order_id')`,
  mail: `(SELECT a.id FROM accounts a WHERE a.email = payload ->> 'to')`,
  purge: null,
  abort: null,
  mandate: null,
  payback: null,
  messenger: null,
  feedback: null,
  grant: null,
  password_reset: null,
}

const EFFECT_ACCOUNT = `CASE kind ${Object.entries(EFFECT_ACCOUNTS)
  .flatMap(([kind, account]) => (account === null ? [] : [`WHEN '${kind}' THEN ${account}`]))
  .join(' ')} END`

/** A table with rows of an account that no column names. */
export interface SpecialTable extends CopiedTable {
  /** Matches the rows; its parameter is the account. */
  condition: string
  /** Whether the rows are also removed from the source. */
  is_moved: boolean
}

/** Everything of an account that events of payment providers are about. */
const PAID = `SELECT id FROM orders WHERE account_id = ?1
  UNION SELECT provider_reference FROM orders WHERE account_id = ?1
  UNION SELECT mandate FROM subscriptions WHERE account_id = ?1
  UNION SELECT id FROM refunds WHERE account_id = ?1
  UNION SELECT provider_reference FROM refunds WHERE account_id = ?1`

/** Copied while nothing of the account changes any more. */
export const SPECIALS: readonly SpecialTable[] = [
  { ...describeTable('outbox'), condition: `${EFFECT_ACCOUNT} = ?`, is_moved: true },
  // Requests that are still running cannot commit, and are repeated in the target.
  {
    ...describeTable('idempotency_keys'),
    // The client sends numbers as floats, which SQLite would write as 7.0.
    condition: `owner = 'account:' || CAST(? AS INTEGER) AND completions > 0`,
    is_moved: true,
  },
  // A repeated event of a provider changes nothing.
  { ...describeTable('payment_events'), condition: `about IN (${PAID})`, is_moved: false },
]
