import {
  type Change,
  type Credits,
  charge,
  type GrantAllocation,
  refund,
  unchanged,
} from '../../credits/rules/ledger.ts'
import { priceOf, remainderOf, type Tariff } from './tariff.ts'

/** A job that is ending: its price terms and the grant allocations of its charges. */
export interface EndingJob {
  id: string
  tariff: Tariff
  allocations: readonly GrantAllocation[]
}

export type EndingOutcome = { status: 'done'; processing_seconds: number } | { status: 'failed' }

/**
 * Charges the rest of the price, or refunds everything if the job failed. `cost` is the total charged in credits;
 * it is lower than the price if the balance was too low. Contract: Credits, Time-based tariff.
 */
export function settleCost(
  credits: Credits,
  { id, tariff, allocations }: EndingJob,
  outcome: EndingOutcome,
  now: number,
): { change: Change; cost: number } {
  if (outcome.status === 'failed') {
    return { change: refund(credits, allocations, now, { cause: `job:${id}:refund`, job_id: id }), cost: 0 }
  }
  const paid = allocations.reduce((sum, grant) => sum + grant.allocated, 0)
  const price = priceOf(tariff, Math.round(outcome.processing_seconds * 1000))
  const remainder = remainderOf(price, paid, credits.balance)
  const charged = remainder > 0 ? charge(credits, remainder, { cause: `job:${id}:time`, job_id: id }) : null
  const change = charged ?? unchanged(credits)
  return { change, cost: paid + credits.balance - change.credits.balance }
}
