/** The price terms of every operation. Contract: Credits, Time-based tariff. */
export interface Tariff {
  base_credits: number
  per_extra_minute_credits: number
  max_credits: number
}

/**
 * Returns the total price of a job.
 * @param processing_ms from pickup to the last step.
 */
export function priceOf(tariff: Tariff, processing_ms: number): number {
  const startedMinutes = Math.max(1, Math.ceil(processing_ms / 60_000))
  const price = tariff.base_credits + (startedMinutes - 1) * tariff.per_extra_minute_credits
  return Math.max(tariff.base_credits, Math.min(price, tariff.max_credits))
}

/**
 * Returns the remaining charge of a finished job: the price minus the paid base, at most the balance, which
 * never becomes negative. The base price is never reduced.
 */
export function remainderOf(price: number, paid: number, balance: number): number {
  return Math.max(0, Math.min(price - paid, balance))
}
