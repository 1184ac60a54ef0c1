import { expect, test } from 'vitest'
import { ledgerOf, register } from '../../../test/edge/worker/people.ts'
import { makeWorld } from '../../../test/edge/worker/world.ts'
import { changeStatements, loadCredits } from '../../credits/queries.ts'
import { grant } from '../../credits/rules/ledger.ts'
import { commit, LostRace, untilCommitted } from './commit.ts'

const world = makeWorld()
const { db } = world.deps

test('40 writers of one account that take no turns all land, each once', async () => {
  const person = await register(world)
  await Promise.all(
    Array.from({ length: 40 }, () =>
      untilCommitted(async () => {
        const { credits } = await loadCredits(db, person.id)
        const given = { kind: 'purchase' as const, amount: 1, expires_at: null, cause: crypto.randomUUID() }
        await commit(db, changeStatements(db, person.id, grant(credits, given), Date.now()))
      }),
    ),
  )
  const { check, entries } = await ledgerOf(world, person)
  expect(check).toMatchObject({ ok: true, balance: 60 })
  expect(entries).toHaveLength(41)
})

test('more readers at once than the database takes all get their answer', async () => {
  const person = await register(world)
  const read = await Promise.all(Array.from({ length: 300 }, () => loadCredits(db, person.id)))
  expect(read.every(({ credits }) => credits.balance === 20)).toBe(true)
})

test('who always comes too late gives up in the end, and says so', async () => {
  let attempts = 0
  const late = untilCommitted(async () => {
    attempts++
    throw new LostRace()
  })
  await expect(late).rejects.toThrow(LostRace)
  expect(attempts).toBe(60)
})

test('another error is not tried again', async () => {
  let attempts = 0
  const broken = untilCommitted(async () => {
    attempts++
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(attempts).toBe(1)
})

test('a batch writes all or nothing', async () => {
  const person = await register(world)
  const { credits } = await loadCredits(db, person.id)
  const given = { kind: 'purchase' as const, amount: 5, expires_at: null, cause: crypto.randomUUID() }
  const statements = changeStatements(db, person.id, grant(credits, given), Date.now())
  await expect(commit(db, [...statements, ...statements])).rejects.toThrow(LostRace)
  expect((await ledgerOf(world, person)).entries).toHaveLength(1)
})
