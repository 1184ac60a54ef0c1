/** @module-tag extended */

import { expect, test } from 'vitest'
import { formatFault } from '../../dev/requests/format.ts'
import { MESSENGER } from '../../dev/requests/messenger.ts'
import { runRequests } from '../../dev/requests/run.ts'
import { useOwnSystem } from '../support/own-system.ts'

// Uses a separate system, because random requests change accounts and offers.
const system = useOwnSystem(async () => ({ edge: MESSENGER }))

const SEED = 1
const COUNT = 1000
/** Slow machines send fewer requests. */
const SECONDS_MAX = 45

test('random requests by every kind of caller get documented responses', async () => {
  const target = { ...system(), session_keys: system().secrets.session_keys }
  const tally = await runRequests(target, { seed: SEED, from: 0, count: COUNT, seconds_max: SECONDS_MAX })
  const failures = tally.faults.map((fault) => formatFault(fault, SEED))
  expect(failures.slice(0, 10)).toEqual([])
  expect(tally.sent).toBeGreaterThan(100)
  const statuses = [...tally.statuses.keys()]
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 422]))
})
