import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  andThen,
  type Change,
  type Credits,
  charge,
  compareBurnOrder,
  deduct,
  expire,
  expireAll,
  GRANT_KINDS,
  type Grant,
  type GrantAllocation,
  type GrantKind,
  grant,
  refund,
} from './ledger.ts'

const HOUR_MS = 60 * 60 * 1000
const EMPTY: Credits = { sequence: 0, balance: 0, grants: [] }

test('a deletion expires every grant, paid or not, with one entry each', () => {
  const held: Credits = {
    sequence: 2,
    balance: 520,
    grants: [
      { sequence: 1, kind: 'purchase', left: 500, expires_at: null },
      { sequence: 2, kind: 'daily_free', left: 20, expires_at: HOUR_MS },
    ],
  }
  const { entries, credits } = expireAll(held, 'deletion:7')
  expect(entries.map(({ entry_type, amount, cause }) => [entry_type, amount, cause])).toEqual([
    ['expire', -20, 'deletion:7:2:3'],
    ['expire', -500, 'deletion:7:1:4'],
  ])
  expect(credits).toEqual({ sequence: 4, balance: 0, grants: [] })
  expect(expireAll(credits, 'deletion:7').entries).toEqual([])
})

describe('a removal by an administrator', () => {
  const grants: Grant[] = [
    { sequence: 1, kind: 'daily_free', left: 20, expires_at: HOUR_MS },
    { sequence: 2, kind: 'purchase', left: 500, expires_at: null },
    { sequence: 3, kind: 'adjust', left: 100, expires_at: null },
  ]
  const held: Credits = { sequence: 3, balance: 620, grants }

  test('takes administrative grants first, then the others in spending order', () => {
    const change = deduct(held, 130, { cause: 'c', note: 'granted twice' })
    expect(change?.entries).toMatchObject([
      {
        entry_type: 'adjust',
        amount: -130,
        balance_after: 490,
        note: 'granted twice',
        allocations: [
          { grant_sequence: 3, amount: -100 },
          { grant_sequence: 1, amount: -20 },
          { grant_sequence: 2, amount: -10 },
        ],
      },
    ])
  })

  test('never makes the balance negative', () => {
    expect(deduct(held, 621, { cause: 'c' })).toBeNull()
    expect(deduct(held, 620, { cause: 'c' })?.credits).toMatchObject({ balance: 0, grants: [] })
  })
})

/** What a database would contain: every grant and every entry, in order. */
interface Books {
  now: number
  credits: Credits
  grants: Map<number, Grant & { amount: number }>
  entries: Change['entries'][number][]
  open: { job_id: string; allocated: Map<number, number> }[]
}

type Command =
  | { do: 'grant'; kind: GrantKind; amount: number; hours: number | null }
  | { do: 'charge'; amount: number }
  | { do: 'refund'; which: number }
  | { do: 'pass'; hours: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    kind: fc.constantFrom(...GRANT_KINDS),
    amount: fc.integer({ min: 1, max: 50 }),
    hours: fc.option(fc.integer({ min: 1, max: 72 })),
  }),
  fc.record({ do: fc.constant('charge' as const), amount: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ do: fc.constant('refund' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 40 }) }),
)

/** Stores a change the way the database does and checks the database constraints. */
function write(books: Books, change: Change): void {
  for (const entry of change.entries) {
    expect(entry.sequence).toBe(books.entries.length + 1)
    expect(entry.balance_after).toBe((books.entries.at(-1)?.balance_after ?? 0) + entry.amount)
    expect(entry.balance_after).toBeGreaterThanOrEqual(0)
    books.entries.push(entry)
    if (entry.grant) books.grants.set(entry.sequence, { ...entry.grant, amount: entry.grant.left })
    for (const { grant_sequence, amount } of entry.allocations) {
      const held = books.grants.get(grant_sequence)
      if (held === undefined) throw new Error('an allocation from a grant that is not there')
      held.left += amount
      expect(held.left).toBeGreaterThanOrEqual(0)
      expect(held.left).toBeLessThanOrEqual(held.amount)
    }
  }
  books.credits = change.credits
}

function decide(books: Books, command: Command): Change | null {
  const { credits, now } = books
  switch (command.do) {
    case 'grant': {
      const expires_at = command.hours === null ? null : now + command.hours * HOUR_MS
      return grant(credits, { kind: command.kind, amount: command.amount, expires_at, cause: 'given' })
    }
    case 'charge': {
      const job_id = `job${books.entries.length}`
      const change = charge(credits, command.amount, { cause: job_id, job_id })
      expect(change === null).toBe(command.amount > credits.balance)
      const allocated = change?.entries[0]?.allocations.map(
        (each) => [each.grant_sequence, -each.amount] as const,
      )
      if (allocated) books.open.push({ job_id, allocated: new Map(allocated) })
      return change
    }
    case 'refund': {
      const [job] = books.open.splice(command.which % Math.max(1, books.open.length), 1)
      if (job === undefined) return null
      const allocation = [...job.allocated].map(([sequence, allocated]): GrantAllocation => {
        const held = books.grants.get(sequence)
        if (held === undefined) throw new Error('a charge from a grant that is not there')
        return { sequence, kind: held.kind, left: held.left, expires_at: held.expires_at, allocated }
      })
      const change = refund(credits, allocation, now, { cause: `${job.job_id}:refund`, job_id: job.job_id })
      const total = allocation.reduce((sum, { allocated }) => sum + allocated, 0)
      expect(change.credits.balance - credits.balance).toBe(total)
      return change
    }
    case 'pass':
      books.now += command.hours * HOUR_MS
      return null
  }
}

describe('any sequence of grants, charges, refunds and expiries', () => {
  test('keeps balance = sum of entries = remaining grants, each within its bounds', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const books: Books = { now: 0, credits: EMPTY, grants: new Map(), entries: [], open: [] }
        for (const each of commands) {
          write(books, expire(books.credits, books.now))
          const change = decide(books, each)
          if (change) write(books, change)
          const left = [...books.grants.values()].reduce((sum, held) => sum + held.left, 0)
          const entries = books.entries.reduce((sum, entry) => sum + entry.amount, 0)
          expect([left, entries]).toEqual([books.credits.balance, books.credits.balance])
          expect(books.credits.sequence).toBe(books.entries.length)
        }
      }),
      { seed: 20261120, numRuns: 300 },
    )
  })
})

/**
 * The spending order: soonest expiry first, then by kind, then oldest first. Contract: Credits, Spending
 * order.
 */
const IN_ORDER: Grant[] = [
  { sequence: 9, kind: 'adjust', left: 1, expires_at: 1000 },
  { sequence: 8, kind: 'daily_free', left: 2, expires_at: 2000 },
  { sequence: 7, kind: 'signup_bonus', left: 3, expires_at: 2000 },
  { sequence: 3, kind: 'subscription', left: 4, expires_at: 2000 },
  { sequence: 6, kind: 'subscription', left: 5, expires_at: 2000 },
  { sequence: 1, kind: 'signup_bonus', left: 6, expires_at: 3000 },
  { sequence: 4, kind: 'purchase', left: 7, expires_at: null },
  { sequence: 5, kind: 'purchase', left: 8, expires_at: null },
  { sequence: 2, kind: 'adjust', left: 9, expires_at: null },
]
const shuffled = fc.shuffledSubarray(IN_ORDER, { minLength: IN_ORDER.length, maxLength: IN_ORDER.length })

describe('the spending order of grants', () => {
  test('does not depend on the order in which they are listed', () => {
    fc.assert(
      fc.property(shuffled, (grants) => {
        expect([...grants].sort(compareBurnOrder)).toEqual(IN_ORDER)
      }),
      { seed: 1 },
    )
  })

  test('is the order in which a charge spends them', () => {
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 1, max: 45 }), (grants, amount) => {
        const allocations =
          charge({ sequence: 9, balance: 45, grants }, amount, { cause: 'c' })?.entries[0]?.allocations ?? []
        const order = IN_ORDER.slice(0, allocations.length).map(({ sequence }) => sequence)
        expect(allocations.map((each) => each.grant_sequence)).toEqual(order)
        const full = allocations.slice(0, -1).map((each) => -each.amount)
        expect(full).toEqual(IN_ORDER.slice(0, full.length).map(({ left }) => left))
        expect(allocations.reduce((sum, each) => sum - each.amount, 0)).toBe(amount)
      }),
      { seed: 2 },
    )
  })
})

const purchase = grant(EMPTY, { kind: 'purchase', amount: 10, expires_at: null, cause: 'p' })

describe('a charge', () => {
  test.each([
    [10, true],
    [11, false],
  ])('of %i from 10 is possible: %s', (amount, can_charge) => {
    expect(charge(purchase.credits, amount, { cause: 'c' }) !== null).toBe(can_charge)
  })

  test('throws when the grants hold less than the balance', () => {
    expect(() => charge({ sequence: 1, balance: 5, grants: [] }, 5, { cause: 'c' })).toThrow(/hold less/)
  })
})

describe('expiry', () => {
  test('happens at exactly its time, and once', () => {
    const given = grant(EMPTY, { kind: 'daily_free', amount: 3, expires_at: 1000, cause: 'd' }).credits
    expect(expire(given, 999).entries).toEqual([])
    const { entries, credits } = expire(given, 1000)
    expect(entries).toMatchObject([
      { entry_type: 'expire', amount: -3, balance_after: 0, cause: 'expire:1:2' },
    ])
    expect(expire(credits, 5000).entries).toEqual([])
  })

  test('happens again under another cause when a late clock refunded the grant', () => {
    const given = grant(EMPTY, { kind: 'daily_free', amount: 3, expires_at: 1000, cause: 'd' }).credits
    const spent = charge(given, 2, { cause: 'c' })?.credits ?? EMPTY
    const first = expire(spent, 1000)
    const allocations = [
      { sequence: 1, kind: 'daily_free' as const, left: 0, expires_at: 1000, allocated: 2 },
    ]
    const returned = refund(first.credits, allocations, 999, { cause: 'r' }).credits
    const second = expire(returned, 1001)
    expect(second.credits.balance).toBe(0)
    expect(second.entries[0]?.cause).not.toBe(first.entries[0]?.cause)
  })
})

describe('a refund', () => {
  const two = andThen(purchase, (credits) =>
    grant(credits, { kind: 'daily_free', amount: 4, expires_at: 1000, cause: 'd' }),
  ).credits
  const spent = charge(two, 6, { cause: 'c', job_id: 'j' })?.credits
  const allocations: GrantAllocation[] = [
    { sequence: 1, kind: 'purchase', left: 8, expires_at: null, allocated: 2 },
    { sequence: 2, kind: 'daily_free', left: 0, expires_at: 1000, allocated: 4 },
  ]

  test('returns each credit to its grant, including an exhausted one', () => {
    const { entries, credits } = refund(spent ?? EMPTY, allocations, 999, { cause: 'r', job_id: 'j' })
    expect(entries).toHaveLength(1)
    expect(credits.grants).toEqual(expect.arrayContaining([...two.grants]))
    expect(credits.balance).toBe(14)
  })

  test('returns credits of an expired grant as a new grant of the same kind for a day', () => {
    const { entries, credits } = refund(spent ?? EMPTY, allocations, 1000, { cause: 'r', job_id: 'j' })
    expect(
      entries.map(({ entry_type, amount, expires_at, cause }) => [entry_type, amount, expires_at, cause]),
    ).toEqual([
      ['refund', 2, null, 'r'],
      ['refund', 4, 1000 + 24 * HOUR_MS, 'r:2'],
    ])
    expect(credits.grants).toContainEqual({
      sequence: credits.sequence,
      kind: 'daily_free',
      left: 4,
      expires_at: 1000 + 24 * HOUR_MS,
    })
  })

  test('of zero credits writes nothing', () => {
    expect(refund(two, [], 0, { cause: 'r' })).toEqual({ entries: [], credits: two })
  })
})
