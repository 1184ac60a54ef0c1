import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { openDatabase } from '../platform/database/client.ts'
import { loadSettings } from './queries.ts'

test('one of many concurrent callers reads again; the others use the known value for up to a second', async () => {
  const db = openDatabase(makeTestContext().deps.env.DATABASE_URL, undefined)
  const known = await loadSettings(db, 0)
  expect(await loadSettings(db, 4999)).toBe(known)
  const asking = loadSettings(db, 5000)
  expect(await loadSettings(db, 5000)).toBe(known)
  const next = loadSettings(db, 6000)
  expect([(await asking) === known, (await next) === known]).toEqual([false, false])
  expect(await asking).toEqual(known)
})

test('settings read before a long pause of the isolate are not used', async () => {
  const db = openDatabase(makeTestContext().deps.env.DATABASE_URL, undefined)
  const known = await loadSettings(db, 0)
  const concurrent = [15_000, 15_000, 15_001].map((now) => loadSettings(db, now))
  for (const settings of await Promise.all(concurrent)) expect(settings).not.toBe(known)
})

test('known settings are used while the database is down, which is retried', async () => {
  const db = openDatabase(makeTestContext().deps.env.DATABASE_URL, undefined)
  const known = await loadSettings(db, 0)
  db.$client.close()
  await expect(loadSettings(db, 5000)).rejects.toThrow()
  expect(await loadSettings(db, 5999)).toBe(known)
  await expect(loadSettings(db, 6000)).rejects.toThrow()
})
