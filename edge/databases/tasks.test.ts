import { expect, test, vi } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import { PNG } from '../../test/edge/worker/files.ts'
import { order } from '../../test/edge/worker/payments.ts'
import { register, upload } from '../../test/edge/worker/people.ts'
import { listPackage } from '../../test/edge/worker/shop.ts'
import { makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { runScheduled, runTasks } from '../scheduled.ts'
import { removeOldRows } from '../statistics/aggregate.ts'
import { copyGlobalTables } from './copy-global-tables.ts'
import { createTriggerStatements, dropTriggers } from './move/triggers.ts'

const asked: number[] = []
const context = makeSpreadContext({
  DATABASE_TASKS: {
    idFromName: (name: string) => name,
    get: () => ({ run: async (n: number) => asked.push(n) }),
  },
})

const { home, other } = context

async function readValue(deps: typeof home, sql: string, ...args: (string | number)[]) {
  return Object.values(found((await deps.db.$client.execute({ sql, args })).rows[0]))[0]
}

test('the tasks of each database run in an invocation of their own', async () => {
  const count = () => readValue(other, `SELECT count(*) FROM ended_sessions WHERE session_id = 'expired'`)
  await other.db.$client.execute(`INSERT INTO ended_sessions (session_id, expires_at) VALUES ('expired', 1)`)
  await runScheduled(home)
  expect([asked, await count()]).toEqual([[1], 1])
  await runTasks(other)
  expect(await count()).toBe(0)
})

test('a copy of the catalog that was read earlier does not put an old price back', async () => {
  const pack = await listPackage(context)
  const price = () => readValue(other, 'SELECT price_cents FROM packages WHERE id = ?', pack.id)
  const setPrice = (cents: number) =>
    home.db.$client.execute({
      sql: 'UPDATE packages SET price_cents = ? WHERE id = ?',
      args: [cents, pack.id],
    })
  const [homeClient, otherClient] = [home.db.$client, other.db.$client]
  const old = Number(await readValue(home, 'SELECT price_cents FROM packages WHERE id = ?', pack.id)) + 1
  await setPrice(old)
  let is_late = true
  const late = {
    async batch(...args: Parameters<typeof homeClient.batch>) {
      const answer = await homeClient.batch(...args)
      if (is_late) {
        is_late = false
        await setPrice(old + 1)
        await copyGlobalTables(homeClient, otherClient)
      }
      return answer
    },
  }
  const prices: unknown[] = []
  const watched = {
    async batch(...args: Parameters<typeof otherClient.batch>) {
      const answer = await otherClient.batch(...args)
      if (args[1] === 'write') prices.push(await price())
      return answer
    },
  }
  await copyGlobalTables(late, watched)
  expect([...prices, await price()]).not.toContain(old)
  await setPrice(old - 1)
  await copyGlobalTables(homeClient, otherClient)
})
