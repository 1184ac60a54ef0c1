/** One price for every operation. Contract: Credits, Time-based tariff. */
export interface Tariff {
  base_credits: number
  per_extra_minute_credits: number
  max_credits: number
}

/**
 * What a job costs altogether.
 * @param processing_ms from pickup to the last step.
 */
export function priceOf(tariff: Tariff, processing_ms: number): number {
  const startedMinutes = Math.max(1, Math.ceil(processing_ms / 60_000))
  const price = tariff.base_credits + (startedMinutes - 1) * tariff.per_extra_minute_credits
  return Math.max(tariff.base_credits, Math.min(price, tariff.max_credits))
}

/**
 * What is still debited when a job ends: the difference to what it paid at submit, but no more than the
 * account holds, since a balance never falls below zero. The base is never refunded down.
 */
export function remainderOf(price: number, paid: number, balance: number): number {
  return Math.max(0, Math.min(price - paid, balance))
}
