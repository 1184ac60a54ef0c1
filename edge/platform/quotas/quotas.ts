import type { QuotaCounter } from './quota-counter.ts'
import type { ExactGrant } from './rules/exact.ts'
import {
  counterName,
  FIRST_LEASE,
  type Grant,
  nextLease,
  type QuotaPolicy,
  secondsUntil,
  windowStart,
} from './rules/lease.ts'

/** The result of using one policy. */
export interface QuotaStanding {
  policy: QuotaPolicy
  /** False if nothing is left in this window. */
  allowed: boolean
  remaining: number
  reset_seconds: number
}

/** The result of an exact use; `reset_seconds` is the time until the next use is allowed. */
export interface ExactStanding extends QuotaStanding {
  /** The time of the use, which identifies it when it is refunded. */
  at: number
}

export interface Quotas {
  /**
   * Counts one use by a subject against every policy, or against none if one of them is exhausted. Needs a round
   * trip only when a lease is used up.
   */
  use(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<QuotaStanding[]>
  /**
   * Counts one use against each policy that has room in its sliding window. Exact, but needs a round trip per use.
   * Meant for password guesses, new accounts and uploads.
   */
  useExactly(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<ExactStanding[]>
  /** Returns the number of uses of each policy in the current window, including unspent leases of other isolates. */
  countUsed(subject: string, policies: readonly QuotaPolicy[], now: number): Promise<number[]>
  /** Returns the number of uses of one policy that this isolate knows of; undefined without a lease. */
  recallUsed(subject: string, policy: QuotaPolicy, now: number): number | undefined
  /** Refunds the use that `useExactly` counted at the given time. */
  giveBack(subject: string, policy: QuotaPolicy, at: number): Promise<void>
}

interface Lease {
  limit: number
  window_start: number
  /** Uses that this isolate can still grant. */
  left: number
  /** Uses that remained at the counter when it was last asked. */
  elsewhere: number
  /** Size of the latest lease, and when it was requested. */
  size: number
  asked_at: number
  /** Until then, another request of this isolate may be getting a lease. */
  awaited_until: number
}

/** Longer answers of a counter are rare, and a canceled request never reports that it has ended. */
const ANSWER_MS_MAX = 1000

const LEASES_MAX = 20_000
const TURNS_MAX = 100

/** Opens the counters of all subjects, with the leases of this isolate. */
export function openQuotas(counters: DurableObjectNamespace<QuotaCounter>): Quotas {
  const leases = openLeases()
  const counterOf = (subject: string) => counters.get(counters.idFromName(subject))

  /** Returns the policies that need a lease; none if one of them is exhausted. */
  function findEmpty(subject: string, policies: readonly QuotaPolicy[], now: number): QuotaPolicy[] {
    const empty = policies.filter((policy) => leases.at(subject, policy, now).left === 0)
    const isUsedUp = empty.some((policy) => leases.at(subject, policy, now).elsewhere === 0)
    return isUsedUp ? [] : empty
  }

  async function refill(subject: string, empty: readonly QuotaPolicy[], now: number): Promise<void> {
    const wanted = empty.map((policy) => leases.ask(subject, policy, now))
    const grants = await counterOf(subject).lease([...empty], now, wanted)
    for (const [index, policy] of empty.entries()) leases.add(subject, policy, grants[index])
  }

  return {
    async use(subject, policies, now) {
      // Repeats if other requests in this isolate spent the lease first.
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        const empty = findEmpty(subject, policies, now)
        if (empty.length === 0) break
        await refill(subject, empty, now)
      }
      // There is no await from here on, so concurrent requests in this isolate see a consistent state.
      const held = policies.map((policy) => ({ policy, lease: leases.at(subject, policy, now) }))
      const allowed = held.every(({ lease }) => lease.left > 0)
      const isUsedUp = held.some(({ lease }) => lease.left + lease.elsewhere === 0)
      return held.map(({ policy, lease }) => {
        // If another policy is exhausted, no lease was requested for this one.
        const isOpen = lease.left > 0 || (isUsedUp && lease.elsewhere > 0)
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
      const grants = await counterOf(subject).acquireExactly([...policies], now)
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

const NEVER_ASKED = { size: 0, asked_at: 0, awaited_until: 0 }

/** Stores this isolate's leases, and evicts the oldest one when there are too many. */
function openLeases() {
  const leases = new Map<string, Lease>()
  // The name includes the limit. Otherwise, while a limit is being changed, requests with the old limit and
  // requests with the new one would keep discarding each other's lease.
  const nameOf = (subject: string, policy: QuotaPolicy) => `${subject} ${counterName(policy)} ${policy.limit}`

  function set(name: string, lease: Lease): Lease {
    const [oldest] = leases.size >= LEASES_MAX ? leases.keys() : []
    if (oldest !== undefined) leases.delete(oldest)
    leases.set(name, lease)
    return lease
  }

  return {
    /** Returns the lease for the current window, or an empty one. Each limit has a separate lease. */
    at(subject: string, policy: QuotaPolicy, now: number): Lease {
      const name = nameOf(subject, policy)
      const window_start = windowStart(now, policy.window_ms)
      const known = leases.get(name)
      if (known && known.window_start >= window_start) return known
      const { size, asked_at, awaited_until } = known ?? NEVER_ASKED
      const empty = { limit: policy.limit, window_start, left: 0, elsewhere: policy.limit }
      return set(name, { ...empty, size, asked_at, awaited_until })
    },
    /**
     * Returns how many uses to request. Concurrent requests ask for one each, because the first of them gets a lease
     * for those that follow: unspent uses count as used once the isolate stops.
     */
    ask(subject: string, policy: QuotaPolicy, now: number): number {
      const lease = this.at(subject, policy, now)
      if (now < lease.awaited_until) return 1
      const size = lease.size === 0 ? FIRST_LEASE : nextLease(lease.size, now - lease.asked_at)
      Object.assign(lease, { size, asked_at: now, awaited_until: now + ANSWER_MS_MAX })
      return size
    },
    /** Adds a grant to the lease. Ignores a grant from a window that has ended. */
    add(subject: string, policy: QuotaPolicy, grant: Grant | undefined): void {
      if (grant === undefined) return
      const name = nameOf(subject, policy)
      const { window_start, granted, remaining } = grant
      const known = leases.get(name)
      if (known?.window_start === window_start) {
        known.left += granted
        known.elsewhere = remaining
        known.awaited_until = 0
      } else if (known === undefined || known.window_start < window_start) {
        const { size, asked_at } = known ?? NEVER_ASKED
        const lease = { limit: policy.limit, window_start, left: granted, elsewhere: remaining }
        set(name, { ...lease, size, asked_at, awaited_until: 0 })
      }
    },
  }
}

function toStanding(policy: QuotaPolicy, grant: ExactGrant | undefined, now: number): ExactStanding {
  if (grant === undefined) throw new Error('a counter returned fewer policies than requested')
  const { allowed, remaining, at, opens_at } = grant
  return { policy, allowed, remaining, at, reset_seconds: secondsUntil(opens_at, now) }
}
