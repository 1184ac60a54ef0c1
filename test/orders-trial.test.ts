import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import {
  CREDENTIALS,
  type Credential,
  type CredentialName,
  makeCredentials,
  type Who,
} from './support/access-states.ts'
import type { Account } from './support/accounts.ts'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'
import { createRevokedKey, execute, openAdministrator, openConfirmedAccount } from './support/credentials.ts'
import { makeTestFolder } from './support/folder.ts'
import { run, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const endpoints = listEndpoints(await fetchDocument(system.api_url))

interface Things {
  job_id: string
  batch_id: string
  token_id: string
  operation_id: string
  package_id: string
  plan_id: string
  promotion_id: string
  delivery_id: string
  order_id: string
  provider: string
  file_url: string
}
let people: Record<Who, Account>
let things: Things
let credentials: Record<CredentialName, Credential>

beforeAll(async () => {
  const owner = await openConfirmedAccount(system)
  const stranger = await openConfirmedAccount(system)
  people = { owner, stranger, administrator: await openAdministrator(system) }
  const revoked = await createRevokedKey(owner, system)
  credentials = await makeCredentials(system, people, revoked.plaintext)
  things = await makeThings(owner, String(revoked.id))
})

/** One of each thing that a path may name. */
async function makeThings({ id, client }: Account, token_id: string): Promise<Things> {
  const dot = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: '#808080' } }).toFile(dot)
  const job = await run(client, 'image/resize', await upload(client, dot), { width: 16 })
  const delivery_id = `msg_${job.id}`
  const columns = 'id, account_id, job_id, type, url, status, created_at, retry_until'
  await execute(
    system.database_url,
    `INSERT INTO webhook_deliveries (${columns}) VALUES (?, ?, ?, 'job.done', 'http://127.0.0.1:9/', 'failed', 1, 1)`,
    [delivery_id, id, job.id],
  )
  const batch_id = await makeBatchOf(job.id, id)
  return {
    job_id: job.id,
    batch_id,
    token_id,
    operation_id: '1',
    package_id: '1',
    plan_id: '1',
    promotion_id: '999999999',
    delivery_id,
    order_id: await makeOrderOf(id),
    provider: 'sandbox_card',
    file_url: job.result?.url ?? '',
  }
}

/** A batch whose one file is a job that there is already, so that nothing more is charged. */
async function makeBatchOf(job_id: string, account_id: number): Promise<string> {
  const batch_id = crypto.randomUUID()
  const columns = 'id, account_id, service_slug, operation_key, params, total, created_at'
  await execute(
    system.database_url,
    `INSERT INTO batches (${columns}) VALUES (?, ?, 'image', 'resize', '{}', 1, 1)`,
    [batch_id, account_id],
  )
  const sql = 'UPDATE jobs SET batch_id = ?, batch_position = 0 WHERE id = ?'
  await execute(system.database_url, sql, [batch_id, job_id])
  return batch_id
}

/** An order that nobody paid. */
async function makeOrderOf(account_id: number): Promise<string> {
  const order_id = crypto.randomUUID()
  const columns =
    'id, account_id, kind, status, provider, item_name, credits, amount_cents, currency, terms_version, created_at'
  await execute(
    system.database_url,
    `INSERT INTO orders (${columns}) VALUES (?, ?, 'package', 'expired', 'sandbox_card', 'Pack', 1, 1, 'USD', '1', 1)`,
    [order_id, account_id],
  )
  return order_id
}

type Expected = Partial<Record<Who | 'nobody', number>>

/** Endpoints whose answer to those who are let in is not what the document and the rules below say. */
const EXCEPTIONS: Record<string, { why: string; expected: Expected }> = {
  'GET /api/v1/jobs/{job_id}': {
    why: 'administrators see all jobs',
    expected: { administrator: 200 },
  },
  'GET /api/v1/jobs/{job_id}/events': {
    why: 'administrators see all jobs',
    expected: { administrator: 200 },
  },
  'POST /api/v1/jobs/{job_id}/cancel': {
    why: 'the job is over',
    expected: { owner: 409, administrator: 409 },
  },
  'POST /api/v1/jobs/{job_id}/repeat': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is charged; administrators see all jobs',
    expected: { owner: 422, administrator: 422 },
  },
  'POST /api/v1/jobs/{job_id}/delivered': {
    why: 'who has no account may know the id of a job without one, so that it must not tell them apart',
    expected: { nobody: 404 },
  },
  'GET /api/v1/studio/batches/{batch_id}': {
    why: 'administrators see all batches',
    expected: { administrator: 200 },
  },
  'POST /api/v1/studio/batches/{batch_id}/cancel': {
    why: 'the batch is over',
    expected: { owner: 409, administrator: 409 },
  },
  'POST /api/v1/studio/batches/{batch_id}/repeat': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is charged; administrators see all batches',
    expected: { owner: 422, administrator: 422 },
  },
  'POST /api/v1/tokens/{token_id}/toggle': {
    why: 'an administrator revoked the key',
    expected: { owner: 403 },
  },
  'DELETE /api/v1/tokens/{token_id}': {
    why: 'an administrator revoked the key',
    expected: { owner: 403 },
  },
  'DELETE /api/v1/me/favorites/{operation_id}': {
    why: "it is everybody's own list that this unpins from",
    expected: { stranger: 204, administrator: 204 },
  },
  'POST /api/v1/billing/admin/payments/{order_id}/resolve': {
    why: 'sent without a valid body, so that nothing is changed',
    expected: { administrator: 422 },
  },
  'POST /api/v1/analytics/collect': {
    why: 'whatever is sent is answered alike',
    expected: { nobody: 202 },
  },
  'POST /api/v1/auth/email/send-code': {
    why: 'the address is confirmed already',
    expected: { owner: 409, stranger: 409, administrator: 409 },
  },
}

for (const item of [
  'operations/{operation_id}',
  'packages/{package_id}',
  'plans/{plan_id}',
  'promotions/{promotion_id}',
]) {
  const why = 'sent without a valid body, so that nothing is changed'
  EXCEPTIONS[`PATCH /api/v1/admin/${item}`] = { why, expected: { administrator: 422 } }
}

/** What an endpoint answers to somebody who is let in. */
function answerTo(endpoint: Endpoint, who: Who | 'nobody'): number {
  const exception = EXCEPTIONS[endpoint.name]?.expected[who]
  if (exception !== undefined) return exception
  const success = Math.min(...endpoint.statuses)
  const namesThing = endpoint.path.includes('{') || endpoint.name in QUERIES
  if (!namesThing) return endpoint.needsInput ? 422 : success
  if (who === 'owner') return success
  return who === 'nobody' ? 401 : 404
}

/** Endpoints that a limit by address counts, and no key's day. */
const COUNTED_BY_ADDRESS = ['POST /api/v1/uploads/multipart/sign-part']

/** A key does no administration: an administrator's is a stranger to others' jobs. */
const HOLDERS = { owner: 'owner', spent: 'owner', stranger: 'stranger', administrator: 'stranger' } as const

/** From the document's access alone, then from whom the credential names. */
function expectedStatus(endpoint: Endpoint, { session, key }: Credential): number {
  const { access } = endpoint
  if (access === 'none') return answerTo(endpoint, 'nobody')
  if (access === 'session' || access === 'admin') {
    if (session === null) return 401
    return access === 'admin' && session !== 'administrator' ? 403 : answerTo(endpoint, session)
  }
  if (key === 'bad') return 401
  if (key === 'spent' && !COUNTED_BY_ADDRESS.includes(endpoint.name)) return 429
  if (key !== null) return answerTo(endpoint, HOLDERS[key])
  if (session !== null) return answerTo(endpoint, session)
  return access === 'anyone' ? answerTo(endpoint, 'nobody') : 401
}

const QUERIES: Record<string, (things: Things) => string> = {
  'GET /api/v1/uploads/download': ({ file_url }) => `?url=${encodeURIComponent(file_url)}`,
}

const Refusal = z.object({
  detail: z.union([z.string(), z.array(z.looseObject({})), z.looseObject({})]),
  request_id: z.uuid(),
})

/**
 * Sends a request that would charge nothing where it is let in: no body is a valid one, and where there is
 * none, a fault of its headers is what must be found.
 */
async function tryEndpoint(
  { name, method, path, needsInput }: Endpoint,
  headers: Record<string, string>,
  expected: number,
): Promise<number> {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = new Map(Object.entries(things)).get(parameter)
    if (value === undefined) return 'none'
    return value
  })
  const body = needsInput && method !== 'GET' ? '[]' : undefined
  const response = await fetch(`${system.api_url}${filled}${QUERIES[name]?.(things) ?? ''}`, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(expected === 422 && body === undefined ? { 'idempotency-key': 'x'.repeat(300) } : {}),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (response.status >= 400 && path.startsWith('/api/v1/')) Refusal.parse(JSON.parse(text))
  return response.status
}

/** Every endpoint that answered otherwise than expected, or by a status that its description lacks. */
async function findDeviations(credential: Credential): Promise<string[]> {
  const answers = endpoints.map(async (endpoint) => {
    const expected = expectedStatus(endpoint, credential)
    const status = await tryEndpoint(endpoint, credential.headers, expected)
    if (status !== expected) return `${endpoint.name}: ${status} instead of ${expected}`
    return endpoint.statuses.includes(status) ? '' : `${endpoint.name}: ${status} is not documented`
  })
  return (await Promise.all(answers)).filter(Boolean)
}

describe('every endpoint', () => {
  test('is in the matrix, and every exception is for one', () => {
    const names = endpoints.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(40)
    for (const name of [...Object.keys(EXCEPTIONS), ...Object.keys(QUERIES), ...COUNTED_BY_ADDRESS])
      expect(names).toContain(name)
  })

  test.each(CREDENTIALS)('with %s', async (name) => {
    expect(await findDeviations(credentials[name])).toEqual([])
  })
})

test('nothing of it was charged, and every ledger adds up', async () => {
  const ledgers = await Promise.all(Object.values(people).map(({ client }) => client.ledger(500)))
  const charges = ledgers.flat().filter(({ amount }) => amount < 0)
  expect(charges.map(({ job_id }) => job_id)).toEqual([things.job_id])
  for (const { client } of Object.values(people))
    expect(await client.verifyLedger()).toMatchObject({ ok: true })
})
