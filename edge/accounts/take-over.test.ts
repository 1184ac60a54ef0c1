import { expect, test } from 'vitest'
import { depsAt, eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshIdentity, prepareReturn } from '../../test/edge/worker/identity.ts'
import { COMPRESS_LINK, makeLink, SESSIONS } from '../../test/edge/worker/links.ts'
import { makeKey, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { jobQuery } from '../jobs/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { findAccount, listKeys } from './queries.ts'
import { takeOverAccount } from './take-over.ts'

const testContext = makeTestContext()
const { deps, call } = testContext
const LINK = '/api/v1/auth/idp/link'

test("a takeover closes the previous holder's upload links, and cancels and refunds their jobs", async () => {
  const stranger = await register(testContext)
  const running = await submit(testContext, stranger)
  const { path } = await makeLink(testContext, stranger)
  expect((await call('GET', path)).status).toBe(200)
  await takeOverAccount(deps, stranger.id, freshIdentity())
  await eventually(
    'the job is canceled',
    async () => (await jobQuery(deps.db, running))[0]?.status === 'canceled',
  )
  expect((await call('GET', path)).status).toBe(410)
  const [job] = await jobQuery(deps.db, running)
  expect(job).toMatchObject({ status: 'canceled', finalCost: 0 })
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT amount FROM ledger WHERE account_id = ? ORDER BY sequence',
    args: [stranger.id],
  })
  expect(rows.map(({ amount }) => amount)).toEqual([20, -2, 2])
})

const ENDPOINT = { url: 'https://hooks.example.org/stranger', events: ['*'] }
const ORIGINS = { origins: ['https://stranger.example.org'] }

/** Copies a job as one that is submitted a millisecond later. */
const COPY_JOB = `INSERT INTO jobs (id, account_id, service_slug, operation_key, params, dispatch, source, status, tariff,
    estimated_cost, moves, heard_at, created_at)
  SELECT ?, account_id, service_slug, operation_key, params, dispatch, source, status, tariff, 2, 1, heard_at,
    created_at + 1 FROM jobs WHERE id = ?`

const elsewhere = () => depsAt(testContext, { now: () => Date.now() })

test('a session that is still cached creates nothing lasting after a takeover in another isolate', async () => {
  const stranger = await register(testContext)
  const { id: key } = await makeKey(testContext, stranger)
  const done = await submit(testContext, stranger)
  const byStranger = (method: string, path: string, body?: object) =>
    call(method, path, { token: stranger.token, ...(body && { body }) })
  expect((await byStranger('GET', '/api/v1/me/favorites')).status).toBe(200)
  const owner = freshIdentity()
  await takeOverAccount(elsewhere(), stranger.id, owner)
  const answers = [
    await byStranger('POST', '/api/v1/auth/password', { new_password: 'a stranger was here' }),
    await byStranger('POST', '/api/v1/tokens', { name: 'stays' }),
    await byStranger('POST', `/api/v1/tokens/${key}/toggle`),
    await byStranger('POST', SESSIONS, COMPRESS_LINK),
    await byStranger('POST', '/api/v1/jobs', SUBMISSION),
    await byStranger('POST', `/api/v1/jobs/${done}/repeat`),
    await byStranger('GET', '/api/v1/webhooks/secret'),
    await byStranger('POST', '/api/v1/webhooks/secret'),
    await byStranger('POST', '/api/v1/webhooks/endpoints', ENDPOINT),
    await byStranger('PUT', '/api/v1/me/origins', ORIGINS),
    await byStranger('POST', LINK, await prepareReturn(testContext, 'link', async () => freshIdentity())),
  ]
  expect((await byStranger('GET', '/api/v1/me/favorites')).status).toBe(200)
  expect(answers.map(({ status }) => status)).toEqual([409, ...Array(10).fill(401)])
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({
    ...{ passwordHash: null, keptSession: null },
    idpSubject: owner.subject,
  })
  expect(await listKeys(deps.db, stranger.id)).toEqual([])
})

test("the previous holder's jobs are canceled later if that fails at first, and the owner's jobs are not", async () => {
  const stranger = await register(testContext)
  const running = await submit(testContext, stranger)
  const silent = { ...elsewhere(), defer: (work: Promise<unknown>) => void work.catch(() => undefined) }
  const batch = silent.db.$client.batch.bind(silent.db.$client)
  silent.db.$client.batch = (queries, mode) =>
    JSON.stringify(queries).includes('"canceled",') && JSON.stringify(queries).includes(running)
      ? Promise.reject(new Error('the database is silent'))
      : batch(queries, mode)
  const owner = freshIdentity()
  await takeOverAccount(silent, stranger.id, owner)
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({ idpSubject: owner.subject })
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT id, payload FROM outbox WHERE id LIKE ?',
    args: [`cancel-open:${stranger.id}:%`],
  })
  const [effect] = rows.map(({ id, payload }) => {
    return { id: String(id), kind: 'cancel_open' as const, payload: JSON.parse(String(payload)) }
  })
  await deps.db.$client.execute({
    sql: 'UPDATE jobs SET created_at = ? WHERE id = ?',
    args: [effect?.payload.created_until, running],
  })
  const own = crypto.randomUUID()
  await deps.db.$client.execute({ sql: COPY_JOB, args: [own, running] })
  await sendEffects(deps, effect === undefined ? [] : [effect, effect])
  expect((await jobQuery(deps.db, running))[0]).toMatchObject({ status: 'canceled', finalCost: 0 })
  expect((await jobQuery(deps.db, own))[0]?.status).toBe('queued')
})

test("a takeover clears the previous holder's profile and webhook, and keeps what the provider reports", async () => {
  const stranger = await register(testContext)
  const webhook_url = 'https://hooks.example.org/stranger'
  const body = { ...SUBMISSION, webhook_url }
  const submitted = await call('POST', '/api/v1/jobs', { token: stranger.token, body })
  expect([submitted.status, submitted.json.webhook_url]).toEqual([201, webhook_url])
  const { token } = stranger
  expect((await call('POST', '/api/v1/webhooks/endpoints', { token, body: ENDPOINT })).status).toBe(201)
  expect((await call('PUT', '/api/v1/me/origins', { token, body: ORIGINS })).status).toBe(200)
  await takeOverAccount(deps, stranger.id, freshIdentity({ full_name: 'Olena', locale: 'uk-UA' }))
  const isCanceled = async () => (await jobQuery(deps.db, submitted.json.id))[0]?.status === 'canceled'
  await eventually('the job is canceled', isCanceled)
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({ fullName: 'Olena', locale: 'uk' })
  const [job] = await jobQuery(deps.db, submitted.json.id)
  expect(job).toMatchObject({ status: 'canceled', webhookUrl: null })
  for (const table of ['webhook_deliveries', 'webhook_endpoints', 'allowed_origins']) {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE account_id = ?`
    const { rows } = await deps.db.$client.execute({ sql, args: [stranger.id] })
    expect([table, rows[0]?.count]).toEqual([table, 0])
  }
})

test('a job whose body is still arriving during a takeover is refused', async () => {
  const stranger = await register(testContext)
  const { key } = await makeKey(testContext, stranger)
  const text = JSON.stringify(SUBMISSION)
  const { readable, writable } = new IdentityTransformStream()
  const headers = { 'content-type': 'application/json' }
  const answer = call('POST', '/api/v1/jobs/api', { key, content: readable, headers })
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode(text.slice(0, -5)))
  await takeOverAccount(deps, stranger.id, freshIdentity())
  await writer.write(new TextEncoder().encode(text.slice(-5)))
  await writer.close()
  expect((await answer).status).toBe(401)
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT count(*) AS count FROM jobs WHERE account_id = ?',
    args: [stranger.id],
  })
  expect(rows[0]?.count).toBe(0)
})
