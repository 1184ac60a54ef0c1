/** The price terms, which are the same for every operation. Contract: Credits, Time-based tariff. */
export interface Tariff {
  base_credits: number
  per_extra_minute_credits: number
  max_credits: number
}

/**
 * Returns the total price of a job.
 * @param processing_ms time from pickup to the end of the last step.
 */
export function priceOf(tariff: Tariff, processing_ms: number): number {
  const startedMinutes = Math.max(1, Math.ceil(processing_ms / 60_000))
  const price = tariff.base_credits + (startedMinutes - 1) * tariff.per_extra_minute_credits
  return Math.max(tariff.base_credits, Math.min(price, tariff.max_credits))
}

/**
 * Returns the amount still to be charged for a finished job: the price minus the base already paid. It never
 * exceeds the balance, so the balance cannot become negative. The base price is never reduced.
 */
export function remainderOf(price: number, paid: number, balance: number): number {
  return Math.max(0, Math.min(price - paid, balance))
}
