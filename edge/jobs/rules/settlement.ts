import {
  type Change,
  type Credits,
  charge,
  refund,
  type TouchedGrant,
  unchanged,
} from '../../credits/rules/ledger.ts'
import { priceOf, remainderOf, type Tariff } from './tariff.ts'

/** A job that ends: what it was promised to cost, and what its charges took until now. */
export interface EndingJob {
  id: string
  tariff: Tariff
  taken: readonly TouchedGrant[]
}

export type EndingOutcome = { status: 'done'; processing_seconds: number } | { status: 'failed' }

/**
 * The difference to what was paid at submit; or, where the job failed, all of it back. `cost` is what the
 * job came to, in credits: less than its price where the account held no more. Contract: Credits,
 * Time-based tariff.
 */
export function settleCost(
  credits: Credits,
  { id, tariff, taken }: EndingJob,
  outcome: EndingOutcome,
  now: number,
): { change: Change; cost: number } {
  if (outcome.status === 'failed') {
    return { change: refund(credits, taken, now, { cause: `job:${id}:refund`, job_id: id }), cost: 0 }
  }
  const paid = taken.reduce((sum, grant) => sum + grant.taken, 0)
  const price = priceOf(tariff, Math.round(outcome.processing_seconds * 1000))
  const remainder = remainderOf(price, paid, credits.balance)
  const charged = remainder > 0 ? charge(credits, remainder, { cause: `job:${id}:time`, job_id: id }) : null
  const change = charged ?? unchanged(credits)
  return { change, cost: paid + credits.balance - change.credits.balance }
}
