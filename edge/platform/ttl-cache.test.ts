import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { TtlCache } from './ttl-cache.ts'

const { db } = makeTestContext().deps
const KEY = 'key'

const makeCache = () => new TtlCache<string, number>({ fresh_ms: 10, usable_ms: 100, read_ms_max: 50 })

describe('a TTL cache', () => {
  test('reads a value once while it is fresh, and again afterwards', async () => {
    const cache = makeCache()
    let reads = 0
    const load = (now: number) => cache.load(db, KEY, now, async () => ++reads)
    expect([await load(0), await load(9), await load(10), await load(11)]).toEqual([1, 1, 2, 2])
  })

  test('returns the known value while one request reads it again', async () => {
    const cache = makeCache()
    const answer = Promise.withResolvers<number>()
    cache.remember(db, KEY, 1, 0)
    const first = cache.load(db, KEY, 20, () => answer.promise)
    expect(await cache.load(db, KEY, 69, async () => 3)).toBe(1)
    answer.resolve(2)
    expect([await first, cache.recall(db, KEY, 29)]).toEqual([2, 2])
  })

  test.each([
    ['a read that takes too long', 20, 70],
    ['a value that is too old', 90, 100],
  ])('does not wait for %s', async (_name, begun, now) => {
    const cache = makeCache()
    cache.remember(db, KEY, 1, 0)
    cache.load(db, KEY, begun, () => new Promise(() => undefined))
    expect(await cache.load(db, KEY, now, async () => 3)).toBe(3)
  })

  test('forgets one value, matching ones, or all, and each at its own expiry', () => {
    const cache = makeCache()
    for (const value of [1, 2, 3, 4]) cache.remember(db, String(value), value, 0, value === 4 ? 5 : 10)
    const recall = (now: number) => ['1', '2', '3', '4'].map((key) => cache.recall(db, key, now))
    expect(recall(4)).toEqual([1, 2, 3, 4])
    expect(recall(5)).toEqual([1, 2, 3, undefined])
    cache.forget(db, '1')
    cache.forgetWhere(db, (value) => value === 2)
    expect(recall(5)).toEqual([undefined, undefined, 3, undefined])
    cache.clear(db)
    expect(recall(5)).toEqual([undefined, undefined, undefined, undefined])
  })
})
