import { expect, test } from 'vitest'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshIdentity, prepareReturn } from '../../test/edge/worker/identity.ts'
import { COMPRESS_LINK, makeLink, SESSIONS } from '../../test/edge/worker/links.ts'
import { makeKey, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { jobQuery } from '../jobs/queries.ts'
import { findAccount, listKeys } from './queries.ts'
import { takeOverAccount } from './take-over.ts'

const testContext = makeTestContext()
const { deps, call } = testContext
const LINK = '/api/v1/auth/idp/link'

test('what a stranger began before the owner came is paid by nobody: links are closed, jobs given back', async () => {
  const stranger = await register(testContext)
  const running = await submit(testContext, stranger)
  const { path } = await makeLink(testContext, stranger)
  expect((await call('GET', path)).status).toBe(200)
  await takeOverAccount(deps, stranger.id, freshIdentity())
  expect((await call('GET', path)).status).toBe(410)
  const [job] = await jobQuery(deps.db, running)
  expect(job).toMatchObject({ status: 'canceled', finalCost: 0 })
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT amount FROM ledger WHERE account_id = ? ORDER BY sequence',
    args: [stranger.id],
  })
  expect(rows.map(({ amount }) => amount)).toEqual([20, -2, 2])
})

const elsewhere = () => depsAt(testContext, { now: () => Date.now() })

test('a session that this isolate still trusts makes nothing that lasts, once another has let the owner in', async () => {
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
    await byStranger('POST', LINK, await prepareReturn(testContext, 'link', async () => freshIdentity())),
  ]
  expect((await byStranger('GET', '/api/v1/me/favorites')).status).toBe(200)
  expect(answers.map(({ status }) => status)).toEqual([409, 401, 401, 401, 401, 401, 401, 401, 401])
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({
    ...{ passwordHash: null, keptSession: null },
    idpSubject: owner.subject,
  })
  expect(await listKeys(deps.db, stranger.id)).toEqual([])
})

test('a take-over that is cut short between the jobs is done again by the next sign-in', async () => {
  const stranger = await register(testContext)
  const running = await submit(testContext, stranger)
  const silent = elsewhere()
  const batch = silent.db.$client.batch.bind(silent.db.$client)
  silent.db.$client.batch = (queries, mode) =>
    JSON.stringify(queries).includes('"canceled",') && JSON.stringify(queries).includes(running)
      ? Promise.reject(new Error('the database is silent'))
      : batch(queries, mode)
  await expect(takeOverAccount(silent, stranger.id, freshIdentity())).rejects.toThrow(
    'the database is silent',
  )
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({ passwordHash: null, idpSubject: null })
  expect((await jobQuery(deps.db, running))[0]?.status).not.toBe('canceled')
  await takeOverAccount(elsewhere(), stranger.id, freshIdentity())
  expect((await jobQuery(deps.db, running))[0]).toMatchObject({ status: 'canceled', finalCost: 0 })
})

test('what a stranger told of themselves and where webhooks go is forgotten; what the provider tells stays', async () => {
  const stranger = await register(testContext)
  const webhook_url = 'https://hooks.example.org/stranger'
  const body = { ...SUBMISSION, webhook_url }
  const submitted = await call('POST', '/api/v1/jobs', { token: stranger.token, body })
  expect([submitted.status, submitted.json.webhook_url]).toEqual([201, webhook_url])
  await takeOverAccount(deps, stranger.id, freshIdentity({ full_name: 'Olena', locale: 'uk-UA' }))
  expect(await findAccount(deps.db, stranger.id)).toMatchObject({ fullName: 'Olena', locale: 'uk' })
  const [job] = await jobQuery(deps.db, submitted.json.id)
  expect(job).toMatchObject({ status: 'canceled', webhookUrl: null })
  const sql = 'SELECT count(*) AS count FROM webhook_deliveries WHERE account_id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [stranger.id] })
  expect(rows[0]?.count).toBe(0)
})

test('a job whose body was still coming in when the owner came is not taken', async () => {
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
