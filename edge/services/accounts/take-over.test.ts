import { expect, test } from 'vitest'
import { makeLink } from '../../../test/edge/worker/links.ts'
import { register, submit } from '../../../test/edge/worker/people.ts'
import { makeWorld } from '../../../test/edge/worker/world.ts'
import { jobQuery } from '../../db/jobs.ts'
import { takeOverAccount } from './take-over.ts'

const world = makeWorld()
const { deps, call } = world

const OWNER = {
  ...{ issuer: 'https://id.example', email: null, email_verified: false },
  ...{ full_name: null, locale: null },
}

test('what a stranger began before the owner came is paid by nobody: links are closed, jobs given back', async () => {
  const stranger = await register(world)
  const running = await submit(world, stranger)
  const { path } = await makeLink(world, stranger)
  expect((await call('GET', path)).status).toBe(200)
  await takeOverAccount(deps, stranger.id, { ...OWNER, subject: crypto.randomUUID() })
  expect((await call('GET', path)).status).toBe(410)
  const [job] = await jobQuery(deps.db, running)
  expect(job).toMatchObject({ status: 'canceled', finalCost: 0 })
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT amount FROM ledger WHERE account_id = ? ORDER BY sequence',
    args: [stranger.id],
  })
  expect(rows.map(({ amount }) => amount)).toEqual([20, -2, 2])
})
