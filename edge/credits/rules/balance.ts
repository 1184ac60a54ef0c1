import { type Credits, compareBurnOrder, type GrantKind } from './ledger.ts'

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

export interface BalanceSource {
  entry_type: GrantKind
  credits: number
  expires_at: number | null
}

/** Largest number of sources in a response. */
export const SOURCES_MAX = 50

/**
 * Returns where the balance comes from, in spending order. Grants of one kind with the same expiry count as one.
 * Contract: Credits, Balance.
 */
export function balanceSources({ grants }: Pick<Credits, 'grants'>): BalanceSource[] {
  const sources = new Map<string, BalanceSource>()
  for (const { kind, left, expires_at } of [...grants].sort(compareBurnOrder)) {
    if (left === 0) continue
    const name = `${kind} ${expires_at}`
    const credits = (sources.get(name)?.credits ?? 0) + left
    sources.set(name, { entry_type: kind, credits, expires_at })
  }
  return [...sources.values()].slice(0, SOURCES_MAX)
}
