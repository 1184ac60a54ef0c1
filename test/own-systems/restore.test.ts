/** @module-tag extended */

import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { backUp, readBackup } from '../../dev/backup/backup.ts'
import { restore } from '../../dev/backup/restore.ts'
import { assertDurable } from '../../dev/deploy/assert-durable.ts'
import { runSmokeJob } from '../../dev/deploy/smoke.ts'
import { failJob, rebuildQueues, redispatchOne } from '../../dev/ops/jobs.ts'
import { openOpsWith } from '../../dev/ops/open-deps.ts'
import { reconcileOrders } from '../../dev/ops/reconcile-orders.ts'
import { traceJob } from '../../dev/ops/trace-job.ts'
import { verifyLedgers } from '../../dev/ops/verify-ledgers.ts'
import { setDurability } from '../../dev/system/durability.ts'
import { localSecrets, localVars } from '../../dev/system/wrangler-config.ts'
import { Settings } from '../../edge/environment/settings.ts'
import { type Account, openAccount } from '../support/accounts.ts'
import { call, openOrder } from '../support/checkout.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { submit, upload } from '../support/jobs.ts'
import { openSandbox } from '../support/payment-sandbox.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()
/** A credential is cached for a few seconds. */
const CACHED = { timeout: 20_000, interval: 250 }

function openOps() {
  const { ports, secrets } = system()
  return openOpsWith(Settings.parse({ ...localVars(ports), ...localSecrets(secrets) }))
}

async function statusOf({ client }: Pick<Account, 'client'>): Promise<number> {
  const response = await client.send('GET', '/api/v1/auth/me')
  await response.body?.cancel()
  return response.status
}

async function submitClip({ client }: Account, clip: string): Promise<string> {
  return (await submit(client, 'video/thumbnail', await upload(client, clip))).id
}

/** Opens an order for the first pack and pays it, without an event to the service. */
async function buyPack(account: Account, callbacks: string): Promise<string> {
  const { api_url, payments_url } = system()
  const path = '/api/v1/billing/packages'
  const [pack] = await call(account.client, 'GET', path, z.array(z.looseObject({ id: z.int() })))
  const { order_id } = await openOrder(account.client, { package_id: pack?.id, provider: 'sandbox_card' })
  await openSandbox({ api_url, payments_url }).act(order_id, 'pay', callbacks)
  return order_id
}

test('a lost database is restored: ledgers are correct, sessions end, payments are found, and lost jobs run again', async () => {
  const { parts, ports } = system()
  const clip = await makeClip(folder, { name: 'clip.mp4', seconds: 1 })
  const known = await openAccount(system().api_url)
  // The fleet is down, so that the job is open in the backup.
  await parts.fleet.kill()
  const job = await submitClip(known, clip)
  const unreported = await buyPack(known, 'never')
  const url = `http://127.0.0.1:${ports.database}`
  await expect(assertDurable(url)).resolves.toBeUndefined()
  await setDurability(`http://127.0.0.1:${ports.database_admin}`, 'relaxed')
  await expect(assertDurable(url)).rejects.toThrow('Durability')
  const backup_at = Date.now()
  const file = join(folder, 'backup.sql.gz')
  expect(await backUp({ url }, file)).toBeGreaterThan(100)

  // Work that only exists after the backup.
  const lost = await openAccount(system().api_url)
  const missing = await buyPack(lost, 'once')
  const lostToken = lost.client.token

  const data = parts.database.definition.args[parts.database.definition.args.indexOf('--db-path') + 1] ?? ''
  expect(dirname(data)).toContain('media-system-')
  await parts.database.kill()
  await rm(data, { recursive: true })
  await parts.database.start()
  await expect(assertDurable(url)).resolves.toBeUndefined()
  await restore({ url }, readBackup(file), { backup_at, now: Date.now() })
  await expect(restore({ url }, readBackup(file), { backup_at, now: 1 })).rejects.toThrow(
    'already has tables',
  )

  const ops = openOps()
  expect(await verifyLedgers(ops.db)).toEqual([])
  // No session of the lost period opens the account that now has the next id.
  const next = await openAccount(system().api_url)
  expect(next.id).toBeGreaterThan(lost.id)
  await expect.poll(() => statusOf(lost), CACHED).toBe(401)
  await expect.poll(() => statusOf(known), CACHED).toBe(401)
  expect(lost.client.token).toBe(lostToken)
  await known.client.login(known.credentials)
  expect(await statusOf(known)).toBe(200)

  const payments = await reconcileOrders(ops, backup_at - 60_000)
  expect(payments).toContainEqual(expect.objectContaining({ order_id: unreported, outcome: 'applied' }))
  expect(payments).toContainEqual(expect.objectContaining({ order_id: missing, outcome: 'unknown' }))
  const again = await reconcileOrders(ops, backup_at - 60_000)
  expect(again).toContainEqual(expect.objectContaining({ order_id: unreported, outcome: 'matched' }))
  // The provider may also have reported the payment; only one of the two events stays open.
  const parked = 'SELECT kind FROM unmatched_events WHERE about = ? AND settled_at IS NULL'
  expect((await ops.db.$client.execute({ sql: parked, args: [missing] })).rows).toHaveLength(1)

  await parts.redis.kill()
  await rm(join(dirname(data), 'redis'), { recursive: true })
  await mkdir(join(dirname(data), 'redis'))
  await parts.redis.start()
  await parts.fleet.start()
  await expect.poll(async () => (await known.client.readiness()).http_status, CACHED).toBe(200)
  expect(await rebuildQueues(ops)).toBeGreaterThanOrEqual(1)
  expect(await known.client.waitForJob(job, 60_000)).toMatchObject({ status: 'done' })
  expect(await traceJob(ops, job)).toMatch(/latest attempt {2}\d+ of dispatch [12][\s\S]*debit/)
  expect(await redispatchOne(ops, job)).toBe(false)
  expect(await verifyLedgers(ops.db)).toEqual([])
})

test('an operator fails a stuck job, which refunds its charge', async () => {
  const { parts } = system()
  const account = await openAccount(system().api_url)
  const before = await account.client.balance()
  await parts.fleet.kill()
  const job = await submitClip(account, await makeClip(folder, { name: 'stuck.mp4', seconds: 1 }))
  const ops = openOps()
  await failJob(ops, job)
  await parts.fleet.start()
  // A Worker caches a balance for a few seconds.
  await expect.poll(() => account.client.balance(), CACHED).toBe(before)
  expect(await traceJob(ops, job)).toMatch(/status {10}failed[\s\S]*refund/)
  expect(await traceJob(ops, 'none')).toBeNull()
  await expect(failJob(ops, job)).rejects.toMatchObject({ status: 409 })
  expect(await verifyLedgers(ops.db)).toEqual([])
})

test('the smoke job of a deployment succeeds on a running system, and fails without the fleet', async () => {
  const { client } = await openAccount(system().api_url)
  const Key = z.object({ plaintext: z.string() })
  const { plaintext } = await call(client, 'POST', '/api/v1/tokens', Key, { name: 'smoke' })
  await expect.poll(async () => (await client.readiness()).http_status, CACHED).toBe(200)
  await runSmokeJob(system().api_url, plaintext)
  await system().parts.fleet.kill()
  await expect.poll(async () => (await client.readiness()).http_status, CACHED).toBe(503)
  await expect(runSmokeJob(system().api_url, plaintext)).rejects.toThrow('/api/ready returned 503')
  await system().parts.fleet.start()
})
