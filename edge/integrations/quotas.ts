import type { QuotaCounter, QuotaWish } from '../durable/quota-counter.ts'
import { type Grant, leaseSize, type QuotaPolicy, secondsToReset, windowStart } from '../rules/quota.ts'

/** How a subject stands with one policy after a use was asked for. */
export interface QuotaStanding {
  policy: QuotaPolicy
  /** False: nothing is left in this window, and nothing was counted on any policy. */
  allowed: boolean
  remaining: number
  reset_seconds: number
}

export interface Quotas {
  /** Counts one use of a subject on every policy, or on none. Costs a round trip only where a lease is used up. */
  use(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<QuotaStanding[]>
  /** As `use`, but exact at every moment: no lease is taken. For guesses at passwords and codes. */
  useExactly(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<QuotaStanding[]>
  forget(subject: string, policy: string): Promise<void>
}

interface Lease {
  window_start: number
  /** Uses this isolate may still give out. */
  left: number
  /** What the counter had left when it was last asked. */
  elsewhere: number
}

const LEASES_MAX = 20_000

export function openQuotas(counters: DurableObjectNamespace<QuotaCounter>): Quotas {
  const leases = new Map<string, Lease>()
  const counterOf = (subject: string) => counters.get(counters.idFromName(subject))

  function leaseOf(subject: string, policy: QuotaPolicy, now: number): Lease {
    const key = `${subject} ${policy.name}`
    const window_start = windowStart(now, policy.window_ms)
    const known = leases.get(key)
    if (known?.window_start === window_start) return known
    if (leases.size >= LEASES_MAX) leases.clear()
    const fresh = { window_start, left: 0, elsewhere: policy.limit }
    leases.set(key, fresh)
    return fresh
  }

  async function refill(subject: string, empty: readonly QuotaPolicy[], now: number): Promise<void> {
    const wishes = empty.map((policy): QuotaWish => ({ ...policy, wanted: leaseSize(policy) }))
    const grants = await counterOf(subject).take(wishes)
    for (const [index, policy] of empty.entries()) {
      const lease = leaseOf(subject, policy, now)
      const grant = grants[index]
      if (grant === undefined || grant.window_start !== lease.window_start) continue
      lease.left += grant.granted
      lease.elsewhere = grant.remaining
    }
  }

  return {
    async use(subject, policies, now) {
      const held = () => policies.map((policy) => ({ policy, lease: leaseOf(subject, policy, now) }))
      const empty = held().filter(({ lease }) => lease.left === 0)
      const open = empty.filter(({ lease }) => lease.elsewhere > 0).map(({ policy }) => policy)
      if (open.length > 0) await refill(subject, open, now)
      const current = held()
      const allowed = current.every(({ lease }) => lease.left > 0)
      if (allowed) for (const { lease } of current) lease.left -= 1
      return current.map(({ policy, lease }) => ({
        policy,
        allowed: allowed || lease.left > 0,
        remaining: lease.left + lease.elsewhere,
        reset_seconds: secondsToReset(now, policy.window_ms),
      }))
    },
    async useExactly(subject, policies, now) {
      const grants = await counterOf(subject).take(policies.map((policy) => ({ ...policy, wanted: 1 })))
      return policies.map((policy, index) => toStanding(policy, grants[index], now))
    },
    forget: (subject, policy) => counterOf(subject).forget(policy),
  }
}

function toStanding(policy: QuotaPolicy, grant: Grant | undefined, now: number): QuotaStanding {
  return {
    policy,
    allowed: (grant?.granted ?? 0) > 0,
    remaining: grant?.remaining ?? 0,
    reset_seconds: secondsToReset(now, policy.window_ms),
  }
}
