/** @module-tag extended */

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { backUpAll } from '../../dev/backup/backup-set.ts'
import { backupOf, restoreSet } from '../../dev/backup/restore-set.ts'
import { Client } from '../../dev/client.ts'
import { rebuildQueues } from '../../dev/ops/jobs.ts'
import { openOpsWith } from '../../dev/ops/open-deps.ts'
import { reconcileOrders } from '../../dev/ops/reconcile-orders.ts'
import { verifyAll } from '../../dev/ops/verify/verify-all.ts'
import { runScheduled } from '../../dev/system/cron.ts'
import { findFreePorts, LOOPBACK } from '../../dev/system/ports.ts'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startOtherDatabase } from '../../dev/system/system.ts'
import { localSecrets, localVars } from '../../dev/system/wrangler-config.ts'
import { Settings } from '../../edge/environment/settings.ts'
import { everyDatabase } from '../../edge/platform/database/find-place.ts'
import { databaseNumberOf } from '../../edge/platform/database/ids.ts'
import { call } from '../support/checkout.ts'
import { makeTestFolder } from '../support/folder.ts'
import { useOwnSystem } from '../support/own-system.ts'
import { type Customer, startTraffic, type Traffic } from '../support/traffic.ts'
import { type Line, openLine } from '../system/line.ts'

/** A 1x1 PNG. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const folder = makeTestFolder()
const image = join(folder, 'image.png')
const other_secrets = makeSecrets()
let other: Awaited<ReturnType<typeof startOtherDatabase>>
let others_started = 0
/** The Worker reaches both databases by lines, which are cut while a database is restored. */
let lines: [home: Line, other: Line]

async function startOther() {
  const dataDirectory = join(folder, `other-${others_started++}`)
  other = await startOtherDatabase({ dataDirectory, secrets: other_secrets })
}

const system = useOwnSystem(async () => {
  const ports = await findFreePorts()
  await startOther()
  lines = [await openLine(ports.database), await openLine(() => Number(new URL(other.url).port))]
  const [home, elsewhere] = lines.map(({ port }) => `http://${LOOPBACK}:${port}`)
  return { ports, account_databases: [{ url: elsewhere ?? '' }], edge: { DATABASE_URL: home ?? '' } }
})
beforeAll(() => writeFile(image, PIXEL))
afterAll(async () => {
  await other.stop()
  await Promise.all(lines.map((line) => line.close()))
})

const addresses = () =>
  [{ url: `http://${LOOPBACK}:${system().ports.database}` }, { url: other.url }] as const

function openOps() {
  const { ports, secrets } = system()
  const [home, elsewhere] = addresses()
  return openOpsWith(
    Settings.parse({
      ...localVars(ports),
      ...localSecrets(secrets),
      DATABASE_URL: home.url,
      ACCOUNT_DATABASES: JSON.stringify([elsewhere]),
    }),
  )
}

/** Sessions name the database in which the account was opened. */
const databaseOf = ({ client }: Customer) => databaseNumberOf(decodeJwt(client.token ?? '').sub ?? '')
/** Waits until customers of both databases have signed up and paid. */
async function waitForCustomers({ customers }: Traffic, from = 0): Promise<void> {
  const count = (number: number) =>
    customers.slice(from).filter((each) => databaseOf(each) === number && each.orders.length > 0).length
  await expect.poll(() => Math.min(count(0), count(1)), { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
}

async function backUp(onFile: () => Promise<void> = async () => undefined): Promise<string> {
  const files: string[] = []
  await backUpAll(addresses(), { folder, time: Date.now() }, async (file) => {
    files.push(file)
    if (files.length === 1) await onFile()
  })
  return files.at(-1) ?? ''
}

/** Loses databases and restores them from the backup, while the Worker cannot reach them. */
async function loseAndRestore(
  numbers: number[],
  file: string,
  duringRestore = async () => undefined as unknown,
) {
  const { parts } = system()
  for (const number of numbers) lines[number]?.cut()
  if (numbers.includes(0)) {
    const { args } = parts.database.definition
    await parts.database.kill()
    await rm(args[args.indexOf('--db-path') + 1] ?? '', { recursive: true })
    await parts.database.start()
  }
  if (numbers.includes(1)) {
    await other.stop()
    await startOther()
  }
  await duringRestore()
  await restoreSet(addresses(), backupOf(file, 2, numbers, Date.now()), { without_moved: false })
  for (const number of numbers) lines[number]?.restore()
}

/** Keeps an unmatched event in the home. Returns a function that grants its credits. */
async function keepEvent(): Promise<(account_id: number) => Promise<void>> {
  const reference = crypto.randomUUID()
  const event = {
    kind: 'payment',
    order_id: reference,
    reference,
    state: 'paid',
    paid_cents: 500,
    currency: 'USD',
  }
  const { rows } = await openOps().db.$client.execute({
    sql: `INSERT INTO unmatched_events (provider, event_id, kind, about, event, occurred_at, created_at)
      VALUES ('sandbox_card', ?, 'payment', ?, ?, 1, 1) RETURNING id`,
    args: [reference, reference, JSON.stringify({ ...event, mandate: null })],
  })
  return async (account_id) => {
    const { api_url, admin } = system()
    const client = new Client(api_url)
    await client.login(admin)
    const path = `/api/v1/admin/unmatched-events/${rows[0]?.id}/settle`
    await call(client, 'POST', path, z.unknown(), {
      action: 'grant',
      account_id,
      credits: 777,
      note: reference,
    })
  }
}

/** Reads how often the credits of events were granted to an account. */
async function countGrants(account_id: number): Promise<number> {
  const found = await Promise.all(
    everyDatabase(openOps()).map(({ db }) =>
      db.$client.execute({
        sql: 'SELECT count(*) AS total FROM ledger WHERE account_id = ? AND amount = 777',
        args: [account_id],
      }),
    ),
  )
  return found.reduce((sum, { rows }) => sum + Number(rows[0]?.total), 0)
}

/** All accounts that ever signed up. */
const all: Customer[] = []

/** Checks what must hold after every restore. `lost` are the databases that lost the time after the backup. */
async function expectConsistent(lost: Customer[], kept: Customer[], since: number): Promise<void> {
  const ops = openOps()
  expect(await verifyAll(ops.databases)).toEqual([])
  const payments = await reconcileOrders(ops, since)
  const unknown = payments.filter(({ outcome }) => outcome === 'unknown').map(({ order_id }) => order_id)
  expect(unknown).toEqual(expect.arrayContaining(lost.flatMap(({ orders }) => orders)))
  const known = payments.filter(({ outcome }) => outcome !== 'unknown').map(({ order_id }) => order_id)
  expect(known).toEqual(expect.arrayContaining(kept.flatMap(({ orders }) => orders)))
  await Promise.all(everyDatabase(ops).map(rebuildQueues))
  const open = async () => {
    const found = await Promise.all(
      ops.databases.map(({ $client }) =>
        $client.execute(`SELECT count(*) AS total FROM jobs WHERE status IN ('queued', 'processing')`),
      ),
    )
    return found.reduce((sum, { rows }) => sum + Number(rows[0]?.total), 0)
  }
  await expect.poll(open, { timeout: 60_000 }).toBe(0)
  await runScheduled(system().ports)
  for (const customer of lost) await expect.poll(() => accountOf(customer), { timeout: 20_000 }).toBe(401)
  for (const customer of [...all, ...kept]) expect([401, customer.id]).toContain(await accountOf(customer))
  for (const customer of kept) {
    await customer.client.login(customer.credentials)
    expect(await customer.client.verifyLedger()).toMatchObject({ ok: true })
  }
  expect(await verifyAll(ops.databases)).toEqual([])
}

/** Returns the account that a session opens, or the status of the refusal. */
async function accountOf({ client }: Customer): Promise<number> {
  const response = await client.send('GET', '/api/v1/me/ping')
  const body = z.looseObject({ account_id: z.int().optional() }).parse(await response.json())
  return body.account_id ?? response.status
}

/** No id is given out twice. */
function expectNewIds(customers: readonly Customer[]): void {
  all.push(...customers)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
}

describe('a restore while customers sign up, work and pay', () => {
  test('of database 1, while those of the home go on', async () => {
    const since = Date.now() - 60_000
    const traffic = startTraffic(system(), image)
    await waitForCustomers(traffic)
    const grant = await keepEvent()
    const receiver = traffic.customers.find((each) => databaseOf(each) === 1) as Customer
    const backed_up = traffic.customers.length
    const before = traffic.customers.slice(0, backed_up - 1)
    const file = await backUp()
    const after = traffic.customers.length
    await waitForCustomers(traffic, after)
    await grant(receiver.id)
    await runScheduled(system().ports)
    expect(await countGrants(receiver.id)).toBe(1)
    await loseAndRestore([1], file, async () => {
      const count = traffic.customers.length
      await expect.poll(() => traffic.refused, { timeout: 60_000 }).toBeGreaterThan(0)
      const [here] = before.filter((each) => databaseOf(each) === 0)
      expect([count > 0, await accountOf(here as Customer)]).toEqual([true, here?.id])
    })
    const restored = traffic.customers.length
    await waitForCustomers(traffic, restored)
    await traffic.stop()
    const lost = traffic.customers.slice(after, restored).filter((each) => databaseOf(each) === 1)
    const kept = [
      ...before,
      ...traffic.customers.slice(after, restored).filter((each) => databaseOf(each) === 0),
    ]
    await expectConsistent(lost, kept, since)
    expect(await countGrants(receiver.id)).toBe(1)
    expectNewIds(traffic.customers)
  })

  test('of the home, while the other database keeps its accounts', async () => {
    const since = Date.now()
    const traffic = startTraffic(system(), image)
    await waitForCustomers(traffic)
    const grant = await keepEvent()
    const receiver = traffic.customers.find((each) => databaseOf(each) === 1) as Customer
    const before = traffic.customers.slice(0, -1)
    const file = await backUp()
    const after = traffic.customers.length
    await waitForCustomers(traffic, after)
    await grant(receiver.id)
    await runScheduled(system().ports)
    expect(await countGrants(receiver.id)).toBe(1)
    await loseAndRestore([0], file)
    const restored = traffic.customers.length
    await waitForCustomers(traffic, restored)
    await traffic.stop()
    const between = traffic.customers.slice(after, restored)
    await expectConsistent(
      between.filter((each) => databaseOf(each) === 0),
      [...before, ...between.filter((each) => databaseOf(each) === 1)],
      since,
    )
    expect(await countGrants(receiver.id)).toBe(1)
    await expect(grant(receiver.id)).rejects.toThrow('409')
    expectNewIds(traffic.customers)
  })

  test('of both, whose backups are of two moments between which credits were granted', async () => {
    const since = Date.now()
    const traffic = startTraffic(system(), image)
    await waitForCustomers(traffic)
    const grant = await keepEvent()
    const receiver = traffic.customers.find((each) => databaseOf(each) === 1) as Customer
    const before = traffic.customers.slice(0, -1)
    const file = await backUp(async () => {
      await grant(receiver.id)
      await runScheduled(system().ports)
      expect(await countGrants(receiver.id)).toBe(1)
    })
    const after = traffic.customers.length
    await waitForCustomers(traffic, after)
    await loseAndRestore([0, 1], file)
    const restored = traffic.customers.length
    await waitForCustomers(traffic, restored)
    await traffic.stop()
    await expectConsistent(traffic.customers.slice(after, restored), before, since)
    expect(await countGrants(receiver.id)).toBe(1)
    expectNewIds(traffic.customers)
  })
})
