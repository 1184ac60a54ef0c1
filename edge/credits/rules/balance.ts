import type { Credits } from './ledger.ts'

export interface BalanceParts {
  balance: number
  /** The part of the balance that expires first. */
  expiring: number
  /** When that part expires; null if nothing expires. */
  expires_at: number | null
}

/** Computes the balance from settled credits, so expired credits do not count. Contract: Credits, Balance. */
export function balanceParts({ balance, grants }: Credits): BalanceParts {
  const times = grants.flatMap(({ left, expires_at }) =>
    left > 0 && expires_at !== null ? [expires_at] : [],
  )
  const expires_at = times.length === 0 ? null : Math.min(...times)
  const expiring = grants
    .filter((grant) => expires_at !== null && grant.expires_at === expires_at)
    .reduce((sum, { left }) => sum + left, 0)
  return { balance, expiring, expires_at }
}
