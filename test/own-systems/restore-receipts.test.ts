import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUp, readBackup } from '../../dev/backup/backup.ts'
import { restore } from '../../dev/backup/restore.ts'
import { verifyReceipts } from '../../dev/ops/verify/verify-receipts.ts'
import { prepareDatabase } from '../../dev/system/migrate.ts'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startOtherDatabase } from '../../dev/system/system.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { issueStatements } from '../../edge/receipts/queries.ts'
import { makeTestFolder } from '../support/folder.ts'

const [folder, other] = [makeTestFolder(), makeTestFolder()]
const started: Awaited<ReturnType<typeof startOtherDatabase>>[] = []
beforeAll(async () => {
  for (const dataDirectory of [folder, other]) {
    started.push(await startOtherDatabase({ dataDirectory, secrets: makeSecrets() }))
  }
})
afterAll(() => Promise.all(started.map((database) => database.stop())))

const urlOf = (index: number) => started[index]?.url ?? ''
const open = (index: number) => openDatabase(urlOf(index), undefined)
type Database = ReturnType<typeof open>

async function addOrder(db: Database): Promise<void> {
  await db.$client.migrate([
    `INSERT INTO accounts (id, public_key, email, email_key, created_at) VALUES (1, 1, 1, 1, 1)`,
    `INSERT INTO orders (id, account_id, kind, status, provider, item_name, credits, amount_cents, currency, terms_version,
      created_at) VALUES ('order', 1, 'package', 'paid', 'card', 'Pack', 5, 100, 'USD', '1', 1)`,
  ])
}

/** Issues receipts for different parts of one order. */
async function issue(db: Database, count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const token = crypto.randomUUID()
    const receipt = {
      ...({ series: 'R', accountId: 1, orderId: 'order', refundId: null, locale: 'en', token } as const),
      ...{ earlierCents: Math.trunc(Math.random() * 2 ** 40), content: {} as never, issuedAt: 1 },
    }
    await db.batch(issueStatements(db, receipt) as never)
  }
}

const numbersOf = async (db: Database, sql = 'SELECT number FROM receipts ORDER BY number') =>
  (await db.$client.execute(sql)).rows.map((row) => Object.values(row))

test('a restore gives out no number that a customer may hold since the backup, and records the gap', async () => {
  await prepareDatabase(urlOf(0))
  const lost = open(0)
  await addOrder(lost)
  await issue(lost, 2)
  const file = join(folder, 'backup.sql.gz')
  await backUp({ url: urlOf(0) }, file)
  await issue(lost, 3)
  expect(await verifyReceipts(lost)).toEqual([])

  await restore({ url: urlOf(1) }, readBackup(file), { backup_at: 5, now: Date.now() })
  const restored = open(1)
  await issue(restored, 2)
  expect(await numbersOf(restored)).toEqual([[1], [2], [100_003], [100_004]])
  expect(await numbersOf(restored, 'SELECT series, first, last FROM receipt_gaps ORDER BY series')).toEqual([
    ['C', 1, 100_000],
    ['R', 3, 100_002],
  ])
  expect(await verifyReceipts(restored)).toEqual([])

  await restored.$client.execute(`UPDATE receipt_series SET last = last + 1 WHERE series = 'R'`)
  expect(await verifyReceipts(restored)).toEqual(['receipts R: 1 numbers are missing'])
})
