/** @module-tag extended */

import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { CUTS, runCuts } from '../../dev/faults/cuts.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { openAccount } from '../support/accounts.ts'
import { fillBalanceTo } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()

const CREDITS = 100

test('jobs that lose a connection on their way end once and are charged once', async () => {
  const { ports, lines, api_url } = system()
  const database = `http://127.0.0.1:${ports.database}`
  const { client, id: account_id } = await openAccount(api_url)
  await fillBalanceTo(database, account_id, CREDITS)
  const image = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(image)
  const db = openDatabase(database, undefined)
  const context = { ports, db, client, account_id, credits: CREDITS, folder, image }
  const tally = await runCuts(context, lines, { seed: 1, count: CUTS.length }, new AbortController().signal)
  db.$client.close()
  expect(tally).toMatchObject({ cuts: CUTS.length, violations: [] })
  expect(tally.places.size).toBe(CUTS.length)
})
