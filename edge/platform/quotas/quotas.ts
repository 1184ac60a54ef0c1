import type { QuotaCounter } from './quota-counter.ts'
import type { ExactGrant } from './rules/exact.ts'
import { counterName, type Grant, type QuotaPolicy, secondsUntil, windowStart } from './rules/lease.ts'

/** How a subject stands with one policy after a use was asked for. */
export interface QuotaStanding {
  policy: QuotaPolicy
  /** False: nothing is left in this window. */
  allowed: boolean
  remaining: number
  reset_seconds: number
}

/** The same of an exact count; `reset_seconds` is until one more is let through. */
export interface ExactStanding extends QuotaStanding {
  /** The time it was counted at, by which it can be given back. */
  at: number
}

export interface Quotas {
  /** Counts one use of a subject on every policy, or on none. Costs a round trip only where a lease is used up. */
  use(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<QuotaStanding[]>
  /**
   * Counts one use of a subject on each policy that has room for it in the window that ends now: exact at every
   * moment, at a round trip each. For guesses at passwords, new accounts and uploads.
   */
  useExactly(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<ExactStanding[]>
  /** Uses of each policy in its present window. What other isolates have leased and not spent is counted. */
  countUsed(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<number[]>
  /** As countUsed for one policy, as far as this isolate heard; undefined where it holds no lease. */
  recallUsed(subject: string, policy: QuotaPolicy, now: number): number | undefined
  /** Takes back the use that `useExactly` counted at that time. */
  giveBack(subject: string, policy: QuotaPolicy, at: number): Promise<void>
}

interface Lease {
  limit: number
  window_start: number
  /** Uses this isolate may still give out. */
  left: number
  /** What the counter had left when it was last asked. */
  elsewhere: number
}

const LEASES_MAX = 20_000
const TURNS_MAX = 100

/** The counters of all subjects, and this isolate's leases from them. */
export function openQuotas(counters: DurableObjectNamespace<QuotaCounter>): Quotas {
  const leases = openLeases()
  const counterOf = (subject: string) => counters.get(counters.idFromName(subject))

  /** The policies of which a lease is wanted; none where one of them is used up for good. */
  function findEmpty(subject: string, policies: readonly QuotaPolicy[], now: number): QuotaPolicy[] {
    const empty = policies.filter((policy) => leases.at(subject, policy, now).left === 0)
    const isUsedUp = empty.some((policy) => leases.at(subject, policy, now).elsewhere === 0)
    return isUsedUp ? [] : empty
  }

  async function refill(subject: string, empty: readonly QuotaPolicy[], now: number): Promise<void> {
    const grants = await counterOf(subject).take([...empty], now)
    for (const [index, policy] of empty.entries()) leases.add(subject, policy, grants[index])
  }

  return {
    async use(subject, policies, now) {
      // Again where other requests of this isolate spent the lease before this one had its turn.
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        const empty = findEmpty(subject, policies, now)
        if (empty.length === 0) break
        await refill(subject, empty, now)
      }
      // From here on nothing is awaited: of the requests of this isolate, each sees what the last one left.
      const held = policies.map((policy) => ({ policy, lease: leases.at(subject, policy, now) }))
      const allowed = held.every(({ lease }) => lease.left > 0)
      return held.map(({ policy, lease }) => {
        const isOpen = lease.left > 0
        if (allowed) lease.left -= 1
        return {
          policy,
          allowed: isOpen,
          remaining: lease.left + lease.elsewhere,
          reset_seconds: secondsUntil(lease.window_start + policy.window_ms, now),
        }
      })
    },
    async useExactly(subject, policies, now) {
      const grants = await counterOf(subject).takeExactly([...policies], now)
      return policies.map((policy, index) => toStanding(policy, grants[index], now))
    },
    async countUsed(subject, policies, now) {
      const uses = await counterOf(subject).read(policies.map(counterName))
      return policies.map((policy, index) => {
        const use = uses[index]
        const { window_start, left } = leases.at(subject, policy, now)
        if (use === undefined || use.window_start < windowStart(now, policy.window_ms)) return 0
        return use.used - (use.window_start === window_start ? left : 0)
      })
    },
    recallUsed(subject, policy, now) {
      const { limit, left, elsewhere } = leases.at(subject, policy, now)
      return left === 0 && elsewhere === limit ? undefined : limit - left - elsewhere
    },
    giveBack: (subject, policy, at) => counterOf(subject).giveBack(counterName(policy), at),
  }
}

/** What this isolate may give out without asking. The oldest are forgotten where there are too many. */
function openLeases() {
  const leases = new Map<string, Lease>()
  // While a limit changes, some requests still see the old one: were both to share a lease, each would throw
  // the other's away and take a new one.
  const nameOf = (subject: string, policy: QuotaPolicy) => `${subject} ${counterName(policy)} ${policy.limit}`

  function set(name: string, lease: Lease): Lease {
    const [oldest] = leases.size >= LEASES_MAX ? leases.keys() : []
    if (oldest !== undefined) leases.delete(oldest)
    leases.set(name, lease)
    return lease
  }

  return {
    /** The lease of the present window, an empty one where there is none. Each limit has its own. */
    at(subject: string, policy: QuotaPolicy, now: number): Lease {
      const name = nameOf(subject, policy)
      const window_start = windowStart(now, policy.window_ms)
      const known = leases.get(name)
      if (known && known.window_start >= window_start) return known
      return set(name, { limit: policy.limit, window_start, left: 0, elsewhere: policy.limit })
    },
    /** What was granted out of a window that is over by now is worth nothing. */
    add(subject: string, policy: QuotaPolicy, grant: Grant | undefined): void {
      if (grant === undefined) return
      const name = nameOf(subject, policy)
      const { window_start, granted, remaining } = grant
      const known = leases.get(name)
      if (known?.window_start === window_start) {
        known.left += granted
        known.elsewhere = remaining
      } else if (known === undefined || known.window_start < window_start) {
        set(name, { limit: policy.limit, window_start, left: granted, elsewhere: remaining })
      }
    },
  }
}

function toStanding(policy: QuotaPolicy, grant: ExactGrant | undefined, now: number): ExactStanding {
  if (grant === undefined) throw new Error('a counter answered for fewer policies than it was asked for')
  const { allowed, remaining, at, opens_at } = grant
  return { policy, allowed, remaining, at, reset_seconds: secondsUntil(opens_at, now) }
}
