import { expect } from 'vitest'
import { OWNED_TABLES } from '../../../edge/databases/table-owners.ts'
import { addUpUsage } from '../../../edge/statistics/aggregate.ts'
import { PNG } from './files.ts'
import { makeLink } from './links.ts'
import { buy } from './payments.ts'
import { giveCredits, makeKey, type Person, register, SUBMISSION, upload } from './people.ts'
import { doneOutcome, finished, report, started } from './reports.ts'
import { listPackage, listPlan } from './shop.ts'
import { deleteProductNews, type SpreadContext } from './spread-context.ts'

/** Rows that no request of these tests creates. */
const INSERTED = [
  `UPDATE accounts SET idp_issuer = 'https://identity.example.org', idp_subject = 'subject ' || id WHERE id = ?1`,
  `INSERT INTO email_codes (account_id, number, hash, sent_at, expires_at) VALUES (?1, 1, 'hash', 1, 2)`,
  `INSERT INTO favorites (account_id, operation_id, position, created_at)
    SELECT ?1, min(id), 1, 1 FROM operations`,
  `INSERT INTO batches (id, account_id, service_slug, operation_key, params, total, created_at)
    VALUES ('batch ' || ?2, ?1, 'video', 'trim', '{}', 1, 1)`,
  `INSERT INTO messenger_links (token_hash, bot_id, account_id, job_id, source, created_at, expires_at)
    VALUES ('link ' || ?2, 1, ?1, 'job', 'web', 1, 2)`,
  `INSERT INTO webhook_secrets (account_id, secret, created_at) VALUES (?1, 'secret', 1)`,
  `INSERT INTO webhook_endpoints (id, account_id, url, events, enabled, secret, secret_created_at, created_at)
    VALUES ('endpoint ' || ?2, ?1, 'https://hooks.example.org', '[]', 0, 'secret', 1, 1)`,
  `INSERT INTO withdrawals (id, order_id, account_id, statement, stated_at)
    SELECT 'withdrawal ' || ?2, id, ?1, 'statement', 1 FROM orders WHERE account_id = ?1 LIMIT 1`,
  `INSERT INTO email_preferences (account_id, product_news, unsubscribe_token, notified_at)
    VALUES (?1, 1, 'unsubscribe ' || ?2, 1)`,
  `INSERT INTO password_resets (request_id, account_id, token_hash, expires_at)
    VALUES ('reset ' || ?2, ?1, 'reset ' || ?2, 8640000000000000)`,
  `INSERT INTO billing_details (account_id, name) VALUES (?1, 'Ada')`,
  `INSERT INTO allowed_origins (account_id, origin) VALUES (?1, 'https://example.org')`,
  `INSERT INTO storage_connections (account_id, name, endpoint, region, bucket, prefix, access_key_id, sealed_secret,
    created_at, updated_at)
    VALUES (?1, 'bucket', 'https://storage.example.org', 'auto', 'bucket', '', 'id', 'sealed', 1, 1)`,
  `INSERT INTO part_uploads (key, upload_id, part_bytes, part_count, created_at, expires_at)
    SELECT key, 'upload', 1, 1, 1, 8640000000000000 FROM uploads WHERE account_id = ?1 LIMIT 1`,
  ...['delivered', 'pending'].flatMap((status) => [
    `INSERT INTO webhook_deliveries (id, account_id, job_id, type, url, status, created_at, retry_until)
      VALUES ('${status} ' || ?2, ?1, 'sample', 'job.done', 'https://hooks.example.org', '${status}', 1, 8640000000000000)`,
    `INSERT INTO webhook_attempts (delivery_id, duration_ms, created_at) VALUES ('${status} ' || ?2, 1, ?1)`,
  ]),
  `INSERT INTO outbox (id, kind, payload, due_at, created_at)
    SELECT 'mail ' || ?2, 'mail', json_object('to', email), 8640000000000000, 1 FROM accounts WHERE id = ?1`,
]

/** An account of the home with rows of every table that moves, and an open job. */
export interface FullAccount extends Person {
  key: string
  open_job: string
}

export async function registerFull(context: SpreadContext): Promise<FullAccount> {
  const { call, home } = context
  await deleteProductNews(context)
  const person = await register(context)
  const { token, id } = person
  await giveCredits(context, person, 100)
  const { key } = await makeKey(context, person)
  const submit = async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION, headers })
    expect(answer.status, answer.text).toBe(201)
    return String(answer.json.id)
  }
  for (let count = 0; count < 3; count++) {
    const job = await submit()
    await report(context, started(job))
    await report(context, finished(job, doneOutcome(job, 1)))
  }
  const open_job = await submit()
  await upload(context, person, PNG)
  await makeLink(context, person)
  const plan = await listPlan(context)
  await home.db.$client.execute({
    sql: 'UPDATE plans SET requests_per_minute = 1000000, requests_per_day = 1000000 WHERE id = ?',
    args: [plan.id],
  })
  await buy(context, person, { plan_id: plan.id })
  const refunded = await buy(context, person, { package_id: (await listPackage(context)).id })
  const refund = await call('POST', `/api/v1/billing/payments/${refunded}/refund`, { token, body: {} })
  const template = { service_slug: 'video', operations: [{ operation_key: 'compress', params: {} }] }
  const saved = await call('PUT', '/api/v1/templates/moving', { token, body: template })
  expect([refund.status, saved.status], refund.text + saved.text).toEqual([200, 200])
  await home.db.$client.batch(
    INSERTED.map((sql) => ({ sql, args: [id, ...(sql.includes('?2') ? [String(id)] : [])] })),
    'write',
  )
  await context.settled()
  await addUpUsage(home)
  return { ...person, key, open_job }
}

/** Rows that move although no column names their account. */
const SPECIALS = [
  ['outbox', `SELECT * FROM outbox WHERE id = 'mail ' || CAST(? AS INTEGER)`],
  [
    'idempotency_keys',
    `SELECT * FROM idempotency_keys WHERE owner = 'account:' || CAST(? AS INTEGER) ORDER BY key`,
  ],
] as const

/** Reads all rows of an account by table, without ids that each database assigns. */
export async function readAllRows(
  { db }: SpreadContext['home'],
  account: number,
): Promise<Record<string, unknown[][]>> {
  const names = [...OWNED_TABLES.map(({ name }) => name), ...SPECIALS.map(([name]) => name)]
  const statements = [
    ...OWNED_TABLES.map(({ name, columns, key, isOwned }) => {
      const kept = columns.filter((column) => name !== 'webhook_attempts' || column !== 'id')
      const order = name === 'webhook_attempts' ? ['delivery_id', 'created_at'] : key
      return `SELECT ${quoted(kept)} FROM "${name}" WHERE ${isOwned} ORDER BY ${quoted(order)}`
    }),
    ...SPECIALS.map(([, sql]) => sql),
  ]
  const results = await db.$client.batch(
    statements.map((sql) => ({ sql, args: [account] })),
    'read',
  )
  return Object.fromEntries(
    results.map(({ rows }, index) => [names[index] ?? '', rows.map((row) => Object.values(row))]),
  )
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
