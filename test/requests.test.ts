import { expect, test } from 'vitest'
import { formatFault } from '../dev/requests/format.ts'
import { MESSENGER } from '../dev/requests/messenger.ts'
import { runRequests } from '../dev/requests/run.ts'
import { useOwnSystem } from './support/own-system.ts'

// Of its own: what requests by chance do to accounts and offers is nothing for other tests to see.
const system = useOwnSystem(async () => ({ edge: MESSENGER }))

const SEED = 1
const COUNT = 1000
/** Where the machine is slow they are fewer. */
const SECONDS_MAX = 45

test('requests of every kind by callers of every kind are answered as the document says', async () => {
  const target = { ...system(), session_keys: system().secrets.session_keys }
  const tally = await runRequests(target, { seed: SEED, from: 0, count: COUNT, seconds_max: SECONDS_MAX })
  const told = tally.faults.map((fault) => formatFault(fault, SEED))
  expect(told.slice(0, 10)).toEqual([])
  expect(tally.sent).toBeGreaterThan(100)
  const statuses = [...tally.statuses.keys()]
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 422]))
})
