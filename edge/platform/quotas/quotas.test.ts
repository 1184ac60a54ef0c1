import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QuotaCounter } from './quota-counter.ts'
import { openQuotas } from './quotas.ts'

const { QUOTAS } = env as unknown as { QUOTAS: DurableObjectNamespace<QuotaCounter> }

const WINDOW_MS = 60_000
const START = 1_800_000_000_000
const policyOf = (limit: number, name = 'minute') => ({ name, limit, window_ms: WINDOW_MS })

/** Creates isolates that share only the counters. */
const makeIsolates = (count: number) => Array.from({ length: count }, () => openQuotas(QUOTAS))

/** Wraps the namespace to count the calls that reach a counter. */
function countCalls() {
  const calls = { lease: 0 }
  const counted = {
    idFromName: (name: string) => QUOTAS.idFromName(name),
    get: (id: DurableObjectId) => {
      const counter = QUOTAS.get(id)
      return {
        lease: (...args: Parameters<QuotaCounter['lease']>) => {
          calls.lease += 1
          return counter.lease(...args)
        },
      }
    },
  }
  return { calls, quotas: openQuotas(counted as unknown as DurableObjectNamespace<QuotaCounter>) }
}

test('bursts and restarts use up little more than the requests that were made', async () => {
  const subject = crypto.randomUUID()
  const policy = policyOf(5000, 'day')
  let made = 0
  for (let restart = 0; restart < 10; restart++) {
    const quotas = openQuotas(QUOTAS)
    await Promise.all(Array.from({ length: 50 }, () => quotas.use(subject, [policy], START + restart * 1000)))
    made += 50
    expect((await quotas.countUsed(subject, [policy], START + restart * 1000))[0]).toBeLessThan(made * 1.1)
  }
})

test('requests that each reach another isolate use the whole limit', async () => {
  const subject = crypto.randomUUID()
  const policy = policyOf(100, 'day')
  let passed = 0
  for (let count = 0; count < 110; count++) {
    const [standing] = await openQuotas(QUOTAS).use(subject, [policy], START)
    if (standing?.allowed) passed += 1
  }
  expect(passed).toBe(100)
})

test('an isolate with few requests holds few uses', async () => {
  const subject = crypto.randomUUID()
  const policy = { name: 'day', limit: 5000, window_ms: 24 * 60 * WINDOW_MS }
  const quotas = openQuotas(QUOTAS)
  for (let count = 0; count < 60; count++) await quotas.use(subject, [policy], START + count * 10_000)
  const [use] = await QUOTAS.get(QUOTAS.idFromName(subject)).read(['day'])
  expect(use?.used).toBe(60)
})

test('concurrent requests with the old and the new limit use at most one lease each', async () => {
  const { quotas } = countCalls()
  const subject = crypto.randomUUID()
  const limits = [100_000_000, 250_000]
  const asking = Array.from({ length: 64 }, (_, index) =>
    quotas.use(subject, [policyOf(limits[index % 2] ?? 0)], START),
  )
  for (const [standing] of await Promise.all(asking)) expect(standing?.allowed).toBe(true)
  const [use] = await QUOTAS.get(QUOTAS.idFromName(subject)).read(['minute'])
  // Only the first request with each limit asks for more than itself.
  expect(use?.used).toBeLessThanOrEqual(64 + 2)
})

describe('several isolates', () => {
  test('never allow more than the limit in a window, in any order and at any time', {
    tags: ['extended'],
  }, async () => {
    const use = fc.record({ isolate: fc.nat(3), window: fc.nat(2), burst: fc.integer({ min: 1, max: 8 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(use, { minLength: 1, maxLength: 12 }),
        async (limit, uses) => {
          const subject = crypto.randomUUID()
          const isolates = makeIsolates(4)
          const allowed = [0, 0, 0]
          for (const { isolate, window, burst } of uses.toSorted((a, b) => a.window - b.window)) {
            const now = START + window * WINDOW_MS
            const standings = await Promise.all(
              Array.from({ length: burst }, () => isolates[isolate]?.use(subject, [policyOf(limit)], now)),
            )
            const passed = standings.filter((standing) => standing?.[0]?.allowed)
            allowed[window] = (allowed[window] ?? 0) + passed.length
            expect(allowed[window]).toBeLessThanOrEqual(limit)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('use the whole limit in sequence, except for idle leases of other isolates', async () => {
    const subject = crypto.randomUUID()
    const [first, second] = makeIsolates(2)
    const policies = [policyOf(60)]
    for (const remaining of [59, 58]) {
      const idle = await first?.use(subject, policies, START)
      expect(idle?.[0]).toMatchObject({ allowed: true, remaining })
    }
    let passed = 0
    while ((await second?.use(subject, policies, START))?.[0]?.allowed) passed += 1
    // The second request of the first isolate acquired a lease of 2.
    expect(passed).toBe(60 - 3)
    const rest = await Promise.all(Array.from({ length: 9 }, () => first?.use(subject, policies, START)))
    expect(rest.filter((standing) => standing?.[0]?.allowed)).toHaveLength(1)
  })
})

describe('one isolate', () => {
  test('allows exactly the limit, even concurrently, and again in the next window', async () => {
    const subject = crypto.randomUUID()
    const quotas = openQuotas(QUOTAS)
    for (const now of [START, START + WINDOW_MS]) {
      const standings = await Promise.all(
        Array.from({ length: 80 }, () => quotas.use(subject, [policyOf(60)], now)),
      )
      expect(standings.filter(([standing]) => standing?.allowed)).toHaveLength(60)
    }
  })

  test('asks the counter rarely, and never when the limit is used up', async () => {
    const subject = crypto.randomUUID()
    const { calls, quotas } = countCalls()
    for (let count = 0; count < 1000; count++) await quotas.use(subject, [policyOf(1_000_000)], START)
    // 1 + 2 + 4 + 8 + 16 + 32 + 64, then 100 each.
    expect(calls.lease).toBe(7 + 9)
    for (let count = 0; count < 10; count++) await quotas.use(subject, [policyOf(3, 'other')], START)
    expect(calls.lease).toBe(7 + 9 + 3)
  })

  test('counts on all policies or on none', async () => {
    const subject = crypto.randomUUID()
    const quotas = openQuotas(QUOTAS)
    const policies = [policyOf(100), { ...policyOf(3, 'day'), counter: 'day:1' }]
    for (let count = 0; count < 3; count++) await quotas.use(subject, policies, START)
    const refused = await quotas.use(subject, policies, START)
    expect(refused.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 97],
      [false, 0],
    ])
    expect(await quotas.countUsed(subject, policies, START)).toEqual([3, 3])
    expect(policies.map((policy) => quotas.recallUsed(subject, policy, START))).toEqual([3, 3])
  })

  test('follows a limit that changes within the window', async () => {
    const subject = crypto.randomUUID()
    const quotas = openQuotas(QUOTAS)
    const use = async (limit: number) =>
      (await quotas.use(subject, [policyOf(limit)], START))[0]?.allowed ?? false
    expect([await use(2), await use(2), await use(2)]).toEqual([true, true, false])
    expect([await use(3), await use(3)]).toEqual([true, false])
    expect(await use(1)).toBe(false)
  })

  test('reports when the next request is allowed', async () => {
    const quotas = openQuotas(QUOTAS)
    const now = START - (START % WINDOW_MS) + 12_300
    const [standing] = await quotas.use(crypto.randomUUID(), [policyOf(5)], now)
    expect(standing?.reset_seconds).toBe(48)
  })
})

describe('exact counts', () => {
  test('take no leases: other isolates see each use immediately', async () => {
    const subject = crypto.randomUUID()
    const [first, second] = makeIsolates(2)
    const seen = []
    for (const quotas of [first, second, first, second]) {
      seen.push((await quotas?.useExactly(subject, [policyOf(3)], START))?.[0])
    }
    expect(seen.map((standing) => [standing?.allowed, standing?.remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ])
    await first?.giveBack(subject, policyOf(3), START)
    const [again] = (await second?.useExactly(subject, [policyOf(3)], START)) ?? []
    expect(again).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('hold across window boundaries, and report when the next use is allowed', async () => {
    const subject = crypto.randomUUID()
    const quotas = openQuotas(QUOTAS)
    const boundary = START - (START % WINDOW_MS) + WINDOW_MS
    const use = async (now: number) => (await quotas.useExactly(subject, [policyOf(3)], now))[0]
    const before = boundary - 500
    for (let count = 0; count < 3; count++) expect(await use(before)).toMatchObject({ allowed: true })
    expect(await use(boundary + 500)).toMatchObject({ allowed: false, remaining: 0, reset_seconds: 59 })
    expect(await use(boundary + 500 + 59_000)).toMatchObject({ allowed: true, remaining: 2 })
  })

  test('replace a stored window count', async () => {
    const subject = crypto.randomUUID()
    const counter = QUOTAS.get(QUOTAS.idFromName(subject))
    await runInDurableObject(counter, (_instance, { storage }) => {
      storage.kv.put('minute', { window_start: START, used: 3, window_ms: WINDOW_MS })
    })
    const quotas = openQuotas(QUOTAS)
    await quotas.giveBack(subject, policyOf(3), START)
    const [standing] = await quotas.useExactly(subject, [policyOf(3)], START)
    expect(standing).toMatchObject({ allowed: true, remaining: 2 })
  })

  test('are zero for an unknown subject', async () => {
    const quotas = openQuotas(QUOTAS)
    expect(await quotas.countUsed(crypto.randomUUID(), [policyOf(3)], START)).toEqual([0])
    expect(quotas.recallUsed(crypto.randomUUID(), policyOf(3), START)).toBeUndefined()
  })
})

test('a counter that restarts repeatedly does not postpone its cleanup', async () => {
  const counter = QUOTAS.get(QUOTAS.idFromName(crypto.randomUUID()))
  const due = Date.now() + 30_000
  await runInDurableObject(counter, (_instance, state) => state.storage.setAlarm(due))
  const alarm = await runInDurableObject(counter, async (instance, state) => {
    await instance.lease([policyOf(5)], Date.now(), [1])
    return state.storage.getAlarm()
  })
  expect(alarm).toBe(due)
})

test('a counter removes expired windows and keeps the others', async () => {
  const subject = crypto.randomUUID()
  const quotas = openQuotas(QUOTAS)
  const now = Date.now()
  const long_ago = now - 3 * 60 * WINDOW_MS
  await quotas.use(subject, [policyOf(5, 'old lease')], long_ago)
  await quotas.use(subject, [policyOf(5, 'lease')], now)
  await quotas.useExactly(subject, [policyOf(5, 'old'), policyOf(5, 'returned')], long_ago)
  await quotas.giveBack(subject, policyOf(5, 'returned'), long_ago)
  await quotas.useExactly(subject, [policyOf(5, 'fresh')], now)
  const counter = QUOTAS.get(QUOTAS.idFromName(subject))
  expect(await runDurableObjectAlarm(counter)).toBe(true)
  const names = await runInDurableObject(counter, (_instance, { storage }) =>
    [...storage.kv.list()].map(([name]) => name),
  )
  expect(names).toEqual(['fresh', 'lease'])
})

test('a policy without a lease is not refused because another one is exhausted', async () => {
  const subject = crypto.randomUUID()
  const [minute, day] = [policyOf(2), { name: 'day', limit: 100, window_ms: 24 * 60 * WINDOW_MS }]
  const quotas = openQuotas(QUOTAS)
  const use = (now: number) => quotas.use(subject, [minute, day], now)
  for (const now of [START, START + 1])
    expect(await use(now)).toMatchObject([{ allowed: true }, { allowed: true }])
  for (let count = 0; count < 5; count++) {
    const [first, second] = await openQuotas(QUOTAS).use(subject, [minute, day], START + 2)
    expect([first?.allowed, second?.allowed]).toEqual([false, true])
    expect((await use(START + 2)).map(({ allowed }) => allowed)).toEqual([false, true])
  }
})
