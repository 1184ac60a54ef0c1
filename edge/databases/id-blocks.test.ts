import { afterEach, expect, test } from 'vitest'
import { makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { BLOCK_IDS } from '../platform/database/ids.ts'
import { beginBlockStatements, takeBlock } from './id-blocks.ts'
import { prepareOthers } from './prepare-others.ts'

const { home, other } = makeSpreadContext()
const [first, second] = [home.db.$client, other.db.$client]
const LOST_BLOCKS = 50

const listBlocks = async (client = first) =>
  (await client.execute('SELECT number FROM id_blocks')).rows.map(({ number }) => Number(number))

/** The other database uses a block that the home does not know, as after a restore of the home. */
async function loseBlock(): Promise<number> {
  const lost = Math.max(...(await listBlocks())) + LOST_BLOCKS
  await second.execute({ sql: 'INSERT INTO id_blocks (number, database) VALUES (?, 1)', args: [lost] })
  return lost
}

afterEach(async () => {
  const known = await listBlocks()
  await second.execute(`DELETE FROM id_blocks WHERE number NOT IN (${known.join(', ')})`)
})

test('a block is above those of all databases, also after the home was restored', async () => {
  const lost = await loseBlock()
  const [one, two] = [await takeBlock([first, second], 1), await takeBlock([first, second], 0)]
  expect([one > lost, two > one]).toEqual([true, true])
})

test('blocks that are taken concurrently differ', async () => {
  await loseBlock()
  const taken = await Promise.all([1, 2, 3].map(() => takeBlock([first, second], 1)))
  expect(new Set(taken).size).toBe(3)
})

test('an earlier block that begins after a later one numbers no row', async () => {
  const [early, late] = [await takeBlock([first, second], 1), await takeBlock([first, second], 1)]
  const numbers = async () => {
    const { rows } = await second.execute(`SELECT seq, (SELECT max(id) FROM usage_events) AS id,
      (SELECT through FROM rollups WHERE name = 'usage') AS through
      FROM sqlite_sequence WHERE name = 'usage_events'`)
    return Object.values(rows[0] ?? {}).map(Number)
  }
  await second.batch(beginBlockStatements(late, 1), 'write')
  await second.execute(
    `INSERT INTO usage_events (source, action, credits, created_at) VALUES ('api', 'submit', 0, 1)`,
  )
  await second.batch(beginBlockStatements(early, 1), 'write')
  const next = late * BLOCK_IDS + 1
  expect(await numbers()).toEqual([next, next, next])
  await second.execute({ sql: 'DELETE FROM usage_events WHERE id = ?', args: [next] })
})

test('a home that does not know the blocks of another database is refused', async () => {
  await prepareOthers(first, [second])
  const lost = await loseBlock()
  await expect(prepareOthers(first, [second])).rejects.toThrow(`does not know block ${lost} of database 1`)
})

test('databases in another order are refused', async () => {
  await expect(prepareOthers(second, [first])).rejects.toThrow('is not the first one')
})
