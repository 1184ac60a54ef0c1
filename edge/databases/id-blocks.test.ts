import { afterEach, expect, test } from 'vitest'
import { makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { takeBlock } from './id-blocks.ts'
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

test('a home that does not know the blocks of another database is refused', async () => {
  await prepareOthers(first, [second])
  const lost = await loseBlock()
  await expect(prepareOthers(first, [second])).rejects.toThrow(`does not know block ${lost} of database 1`)
})

test('databases in another order are refused', async () => {
  await expect(prepareOthers(second, [first])).rejects.toThrow('is not the first one')
})
