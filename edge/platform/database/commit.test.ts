import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { ledgerOf, register } from '../../../test/edge/worker/people.ts'
import { changeStatements, loadCredits } from '../../credits/queries.ts'
import { grant } from '../../credits/rules/ledger.ts'
import { grants, packages, settings } from '../../tables.ts'
import { isAccountMoving, LEFT } from './account-moving.ts'
import { commit, LostRace, untilCommitted } from './commit.ts'
import { guardStatement } from './guard.ts'
import { RACE_CONSTRAINTS } from './race-constraints.ts'

const testContext = makeTestContext()
const { db } = testContext.deps

test('40 concurrent writers of one account all succeed, each once', async () => {
  const person = await register(testContext)
  await Promise.all(
    Array.from({ length: 40 }, () =>
      untilCommitted(async () => {
        const { credits } = await loadCredits(db, person.id)
        const given = { kind: 'purchase' as const, amount: 1, expires_at: null, cause: crypto.randomUUID() }
        await commit(db, changeStatements(db, person.id, grant(credits, given), Date.now()))
      }),
    ),
  )
  const { check, entries } = await ledgerOf(testContext, person)
  expect(check).toMatchObject({ ok: true, balance: 60 })
  expect(entries).toHaveLength(41)
})

test('more concurrent readers than the database accepts all get their result', async () => {
  const person = await register(testContext)
  const read = await Promise.all(Array.from({ length: 300 }, () => loadCredits(db, person.id)))
  expect(read.every(({ credits }) => credits.balance === 20)).toBe(true)
})

test('a writer that loses every race fails with LostRace in the end', async () => {
  let attempts = 0
  const late = untilCommitted(async () => {
    attempts++
    throw new LostRace()
  })
  await expect(late).rejects.toThrow(LostRace)
  expect(attempts).toBe(60)
})

test('other errors are not retried', async () => {
  let attempts = 0
  const broken = untilCommitted(async () => {
    attempts++
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(attempts).toBe(1)
})

test('a batch is written completely or not at all', async () => {
  const person = await register(testContext)
  const { credits } = await loadCredits(db, person.id)
  const given = { kind: 'purchase' as const, amount: 5, expires_at: null, cause: crypto.randomUUID() }
  const statements = changeStatements(db, person.id, grant(credits, given), Date.now())
  await expect(commit(db, [...statements, ...statements])).rejects.toThrow(LostRace)
  expect((await ledgerOf(testContext, person)).entries).toHaveLength(1)
})

const pack = { name: 'Pack', credits: 1, currency: 'USD', priceCents: 0 }
const setting = { name: crypto.randomUUID(), value: 1 }
const NEVER = -1

test.each([
  ['NOT NULL', () => [db.insert(settings).values({ name: crypto.randomUUID(), value: sql`NULL` })]],
  ['a foreign key', () => [db.insert(grants).values(grantOf(NEVER))]],
  ['a UNIQUE key that no race violates', () => [db.insert(settings).values([setting, setting])]],
  ['a CHECK that no race violates', () => [db.insert(packages).values(pack)]],
])('a commit that violates %s fails without a retry', async (_name, statements) => {
  let attempts = 0
  const defect = untilCommitted(() => {
    attempts++
    return commit(db, statements())
  })
  await expect(defect).rejects.toThrow(/constraint failed/i)
  await expect(defect).rejects.not.toBeInstanceOf(LostRace)
  expect(attempts).toBe(1)
})

function grantOf(accountId: number): typeof grants.$inferInsert {
  return { accountId, sequence: 1, kind: 'adjust', amount: 1, left: 1, expiresAt: null, grantedAt: 0 }
}

test('a commit whose guard fails is retried until it holds', async () => {
  let attempts = 0
  await untilCommitted(() => {
    attempts++
    return commit(db, [guardStatement(db, attempts === 1 ? sql`NULL` : sql`1 = 1`)])
  })
  expect(attempts).toBe(2)
})

test('every race constraint exists', async () => {
  const checks = await db.all<{ sql: string }>(sql`SELECT sql FROM sqlite_master WHERE type = 'table'`)
  const indexes = await db.all<{ name: string }>(sql`
    SELECT name FROM (
      SELECT "table".name || '.' || group_concat("column".name, ', ' || "table".name || '.') AS name
      FROM sqlite_master AS "table", pragma_index_list("table".name) AS "index",
        pragma_index_info("index".name) AS "column"
      WHERE "table".type = 'table' AND "index"."unique" GROUP BY "table".name, "index".name)`)
  const ids = await db.all<{ name: string }>(sql`
    SELECT "table".name || '.' || "column".name AS name
    FROM sqlite_master AS "table", pragma_table_info("table".name) AS "column"
    WHERE "table".type = 'table' AND "column".pk = 1`)
  const names = new Set([
    ...[...indexes, ...ids].map(({ name }) => name),
    ...checks.flatMap((table) =>
      [...(table.sql ?? '').matchAll(/CONSTRAINT "(\w+)" CHECK/g)].map((m) => m[1]),
    ),
  ])
  expect(RACE_CONSTRAINTS.filter((name) => !names.has(name))).toEqual([])
})

test('a value that a user sent does not make a failure look like the move of an account', async () => {
  const failed = db.run(sql`INSERT INTO no_table (name) VALUES (${LEFT})`)
  const error = await failed.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: expect.stringContaining(LEFT) })
  expect(isAccountMoving(error)).toBe(false)
})
