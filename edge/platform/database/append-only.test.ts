import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { ledgerOf, register, submit } from '../../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { $client } = testContext.deps.db

const ENTRY =
  'INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, cause, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)'

describe('the database refuses', () => {
  test.each([
    ['UPDATE ledger SET amount = 1000 WHERE account_id = ?', /append-only/],
    ['UPDATE ledger SET note = NULL WHERE account_id = ?', /append-only/],
    ['DELETE FROM ledger WHERE account_id = ?', /append-only/],
    ['UPDATE allocations SET amount = -1 WHERE account_id = ?', /append-only/],
    ['DELETE FROM allocations WHERE account_id = ?', /append-only/],
    ['UPDATE grants SET "left" = -1 WHERE account_id = ?', /CHECK/],
    ['UPDATE grants SET "left" = amount + 1 WHERE account_id = ?', /CHECK/],
  ])('%s', async (sql, message) => {
    const person = await register(testContext)
    await submit(testContext, person)
    const before = await ledgerOf(testContext, person)
    await expect($client.execute({ sql, args: [person.id] })).rejects.toThrow(message)
    expect(await ledgerOf(testContext, person)).toEqual(before)
  })

  test.each([
    ['a duplicate number', 1, 5, 25],
    ['a gap in the numbers', 3, 5, 25],
    ['an inconsistent balance', 2, 5, 26],
    ['a negative balance', 2, -21, -1],
  ])('an entry with %s', async (_name, sequence, amount, balance) => {
    const person = await register(testContext)
    const args = [person.id, sequence, 'adjust', amount, balance, crypto.randomUUID()]
    await expect($client.execute({ sql: ENTRY, args })).rejects.toThrow()
    expect((await ledgerOf(testContext, person)).entries).toHaveLength(1)
  })

  test('a duplicate cause, even on another account', async () => {
    const [one, other] = [await register(testContext), await register(testContext)]
    const cause = crypto.randomUUID()
    await $client.execute({ sql: ENTRY, args: [one.id, 2, 'adjust', 1, 21, cause] })
    await expect(
      $client.execute({ sql: ENTRY, args: [other.id, 2, 'adjust', 1, 21, cause] }),
    ).rejects.toThrow(/UNIQUE/)
  })

  test('a change of the history of a job', async () => {
    const id = await submit(testContext, await register(testContext))
    for (const sql of ["UPDATE job_moves SET status = 'done' WHERE job_id = ?"]) {
      await expect($client.execute({ sql, args: [id] })).rejects.toThrow(/append-only/)
    }
  })
})
