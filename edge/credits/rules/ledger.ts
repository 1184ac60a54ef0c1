/**
 * Ledger arithmetic: creates the entries for grants, charges and refunds. All functions are pure. Amounts are whole
 * credits, and times are in milliseconds. A change contains the entries to append and their grant allocations.
 * Contract: Credits, Kinds and expiry; Credits, Ledger.
 */

/** Grants that expire at the same time are spent in this order of kinds. */
export const GRANT_KINDS = ['daily_free', 'signup_bonus', 'subscription', 'purchase', 'adjust'] as const
export type GrantKind = (typeof GRANT_KINDS)[number]
export const ENTRY_TYPES = [...GRANT_KINDS, 'debit', 'refund', 'expire'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

export interface Grant {
  /** Sequence number of the ledger entry that created the grant. */
  sequence: number
  kind: GrantKind
  /** Remaining credits. */
  left: number
  /** null if the grant never expires. */
  expires_at: number | null
}

/** An account's credits: the last ledger entry, and the grants that have credits remaining. */
export interface Credits {
  sequence: number
  balance: number
  grants: readonly Grant[]
}

export interface Allocation {
  grant_sequence: number
  /** Negative if charged to the grant, positive if returned to it. */
  amount: number
}

export interface Entry {
  sequence: number
  entry_type: EntryType
  amount: number
  balance_after: number
  expires_at: number | null
  cause: string
  job_id: string | null
  order_id: string | null
  note: string | null
  allocations: readonly Allocation[]
  /** The grant this entry creates, if any. */
  grant: Grant | null
  /** The plan month this entry delivers, if any. */
  delivers: { subscription_id: string; number: number } | null
}

export interface Change {
  entries: readonly Entry[]
  credits: Credits
}

/** What an entry is about. `cause` is unique across the entire ledger: each cause is booked only once. */
export interface About {
  cause: string
  job_id?: string
  order_id?: string
  note?: string
  delivers?: Entry['delivers']
}

export function unchanged(credits: Credits): Change {
  return { entries: [], credits }
}

/** Compares grants in burn order: soonest expiry first, then by kind, then oldest first. */
export function compareBurnOrder(a: Grant, b: Grant): number {
  return (
    (a.expires_at ?? Number.POSITIVE_INFINITY) - (b.expires_at ?? Number.POSITIVE_INFINITY) ||
    GRANT_KINDS.indexOf(a.kind) - GRANT_KINDS.indexOf(b.kind) ||
    a.sequence - b.sequence
  )
}

export function grant(
  credits: Credits,
  given: { kind: GrantKind; amount: number; expires_at: number | null } & About,
): Change {
  const { kind, amount, expires_at, ...about } = given
  const made = { sequence: credits.sequence + 1, kind, left: amount, expires_at }
  return append(credits, { entry_type: kind, amount, expires_at, allocations: [], grant: made, ...about })
}

/**
 * Charges an amount to grants in burn order. Returns null if the balance is insufficient. None of the grants may
 * have expired.
 */
export function charge(credits: Credits, amount: number, about: About): Change | null {
  if (amount > credits.balance) return null
  return append(credits, {
    entry_type: 'debit',
    amount: -amount,
    expires_at: null,
    allocations: allocate(credits.grants, amount, compareBurnOrder),
    grant: null,
    ...about,
  })
}

/**
 * Allocates an amount to grants in a given order. Throws if the grants hold less than the amount, which means that
 * too few were loaded.
 */
function allocate(
  grants: readonly Grant[],
  amount: number,
  compare: (a: Grant, b: Grant) => number,
): Allocation[] {
  const allocations: Allocation[] = []
  let missing = amount
  for (const { sequence, left } of [...grants].sort(compare)) {
    if (missing === 0) break
    const allocated = Math.min(left, missing)
    if (allocated > 0) allocations.push({ grant_sequence: sequence, amount: -allocated })
    missing -= allocated
  }
  if (missing > 0) throw new Error('the grants hold less than the balance says')
  return allocations
}

/** Expires grants with one entry per grant, soonest expiry first. */
export function expire(credits: Credits, now: number): Change {
  return expireEach(credits, ({ expires_at }) => expires_at !== null && expires_at <= now, 'expire')
}

/** Expires all grants, because the account is deleted. Requires all grants to be loaded. */
export function expireAll(credits: Credits, cause: string): Change {
  return expireEach(credits, () => true, cause)
}

function expireEach(credits: Credits, isExpired: (grant: Grant) => boolean, cause: string): Change {
  const expired = credits.grants.filter((grant) => grant.left > 0 && isExpired(grant)).sort(compareBurnOrder)
  return expired.reduce<Change>(
    (change, { sequence, left }) =>
      andThen(change, (current) =>
        append(current, {
          entry_type: 'expire',
          amount: -left,
          expires_at: null,
          allocations: [{ grant_sequence: sequence, amount: -left }],
          grant: null,
          // Includes the entry's sequence number: a grant can expire twice if a slow clock lets credits be returned
          // to a grant that has already expired.
          cause: `${cause}:${sequence}:${current.sequence + 1}`,
        }),
      ),
    unchanged(credits),
  )
}

/**
 * Removes the remaining credits of the given grants from the balance, because they are refunded in money.
 * Contract: Purchase rule 9.
 */
export function withdrawGrants(credits: Credits, sequences: readonly number[], about: About): Change {
  const revoked = credits.grants.filter(({ sequence, left }) => left > 0 && sequences.includes(sequence))
  if (revoked.length === 0) return unchanged(credits)
  return append(credits, {
    entry_type: 'adjust',
    amount: -revoked.reduce((sum, { left }) => sum + left, 0),
    expires_at: null,
    allocations: revoked.map(({ sequence, left }) => ({ grant_sequence: sequence, amount: -left })),
    grant: null,
    ...about,
  })
}

/**
 * Removes credits on behalf of an administrator: adjustments first, then in burn order, so a correction undoes a
 * mistake before it touches paid credits. Requires all grants to be loaded.
 * @returns null if the balance is insufficient.
 */
export function deduct(credits: Credits, amount: number, about: About): Change | null {
  if (amount > credits.balance) return null
  const isGiven = ({ kind }: Grant) => kind === 'adjust'
  const allocations = allocate(credits.grants, amount, (a, b) =>
    isGiven(a) === isGiven(b) ? compareBurnOrder(a, b) : Number(isGiven(b)) - Number(isGiven(a)),
  )
  return append(credits, {
    entry_type: 'adjust',
    amount: -amount,
    expires_at: null,
    allocations,
    grant: null,
    ...about,
  })
}

/** The current state of a grant that was charged, and the allocated amount. */
export type GrantAllocation = Grant & { allocated: number }

/** How long refunded credits of an expired grant stay usable. */
const GRACE_MS = 24 * 60 * 60 * 1000

/**
 * Refunds all charges of a job and returns each credit to its grant. If that grant has expired, the credits return
 * as a new grant of the same kind that lasts one day, so the refund is complete.
 */
export function refund(
  credits: Credits,
  allocations: readonly GrantAllocation[],
  now: number,
  about: About,
): Change {
  const isExpired = ({ expires_at }: Grant) => expires_at !== null && expires_at <= now
  const returned = allocations.filter((grant) => !isExpired(grant))
  const change = returned.length === 0 ? unchanged(credits) : giveBack(credits, returned, about)
  return allocations.filter(isExpired).reduce(
    (soFar, { sequence, kind, allocated: amount }) =>
      andThen(soFar, (current) =>
        append(current, {
          entry_type: 'refund',
          amount,
          expires_at: now + GRACE_MS,
          allocations: [],
          grant: { sequence: current.sequence + 1, kind, left: amount, expires_at: now + GRACE_MS },
          ...about,
          cause: `${about.cause}:${sequence}`,
        }),
      ),
    change,
  )
}

function giveBack(credits: Credits, returned: readonly GrantAllocation[], about: About): Change {
  const held = new Set(credits.grants.map((grant) => grant.sequence))
  const emptied = returned
    .filter((grant) => !held.has(grant.sequence))
    .map(({ sequence, kind, left, expires_at }) => ({ sequence, kind, left, expires_at }))
  return append(
    { ...credits, grants: [...credits.grants, ...emptied] },
    {
      entry_type: 'refund',
      amount: returned.reduce((sum, { allocated }) => sum + allocated, 0),
      expires_at: null,
      allocations: returned.map(({ sequence, allocated }) => ({
        grant_sequence: sequence,
        amount: allocated,
      })),
      grant: null,
      ...about,
    },
  )
}

/** Appends a change that starts where the previous one ended. */
export function andThen(change: Change, next: (credits: Credits) => Change): Change {
  const following = next(change.credits)
  return { entries: [...change.entries, ...following.entries], credits: following.credits }
}

type NewEntry = Pick<Entry, 'entry_type' | 'amount' | 'expires_at' | 'allocations' | 'grant'> & About

function append(credits: Credits, { job_id, order_id, note, delivers, ...entry }: NewEntry): Change {
  const sequence = credits.sequence + 1
  const balance = credits.balance + entry.amount
  const amounts = new Map(entry.allocations.map(({ grant_sequence, amount }) => [grant_sequence, amount]))
  const grants = credits.grants
    .map((grant) => ({ ...grant, left: grant.left + (amounts.get(grant.sequence) ?? 0) }))
    .filter((grant) => grant.left > 0)
  return {
    entries: [
      {
        ...entry,
        sequence,
        balance_after: balance,
        job_id: job_id ?? null,
        order_id: order_id ?? null,
        note: note ?? null,
        delivers: delivers ?? null,
      },
    ],
    credits: { ...credits, sequence, balance, grants: entry.grant ? [...grants, entry.grant] : grants },
  }
}
