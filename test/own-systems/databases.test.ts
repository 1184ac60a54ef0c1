/** @module-tag extended */

import { expect, test } from 'vitest'
import { runScheduled } from '../../dev/system/cron.ts'
import { LOOPBACK } from '../../dev/system/ports.ts'
import { moveAccount } from '../../edge/databases/move/move-account.ts'
import { databaseNumberOf } from '../../edge/platform/database/ids.ts'
import { openDatabases } from '../../edge/platform/database/open-databases.ts'
import { type Account, openAccount } from '../support/accounts.ts'
import { makeClip } from '../support/clips.ts'
import { expectChargedOnce } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { runToResult, submit, upload } from '../support/jobs.ts'
import { useOwnSystem } from '../support/own-system.ts'

const system = useOwnSystem(async () => ({ account_databases: 1 }))
const folder = makeTestFolder()

/** How long credentials are cached. */
const KEEP_MS = 5000

/** Opens accounts, which are placed at random, until one is in the other database. */
async function openAccountElsewhere(): Promise<Account> {
  for (let count = 1; count <= 30; count++) {
    const account = await openAccount(system().api_url)
    if (account.id > 1e11) return account
  }
  throw new Error('No account was placed in the other database.')
}

test('an account in the other database runs a job, and moves to the home while it runs another', async () => {
  const databases = openDatabases({
    DATABASE_URL: `http://${LOOPBACK}:${system().ports.database}`,
    DATABASE_AUTH_TOKEN: undefined,
    ACCOUNT_DATABASES: [...system().account_databases],
  })
  const { id, client } = await openAccountElsewhere()
  const clip = await makeClip(folder, { name: 'moving.mp4', seconds: 2 })
  const file_url = await upload(client, clip)
  const { job: first, result } = await runToResult(client, 'video/thumbnail', file_url)
  expect(databaseNumberOf(first.id)).toBe(1)
  const [, other] = databases
  const columns = 'mailbox_hash, welcome_used, retired_at'
  await other?.$client.execute(`INSERT INTO mailbox_grants (${columns}) VALUES ('expired', 0, 1)`)
  await runScheduled(system().ports)
  const query = `SELECT 1 FROM mailbox_grants WHERE mailbox_hash = 'expired'`
  const { rows: retired } = (await other?.$client.execute(query)) ?? { rows: [1] }
  expect(retired).toEqual([])
  const { id: second } = await submit(client, 'video/compress', file_url)
  await moveAccount(databases, id, 0, { keep_ms: KEEP_MS })
  const job = await client.waitForJob(second, 60_000)
  expect([job.status, job.error]).toEqual(['done', null])
  await expectChargedOnce(client, [first, job])
  expect((await client.download(result.url)).status).toBe(200)
  const { job: third } = await runToResult(client, 'video/thumbnail', file_url)
  expect(databaseNumberOf(third.id)).toBe(0)
})
