import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshIdentity, prepareReturn } from '../../test/edge/worker/identity.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { findAccount } from '../accounts/queries.ts'
import { passwordResets } from '../tables.ts'
import { hashLinkToken, makeLinkToken } from '../upload-links/link-token.ts'
import type { Identity } from './rules/sign-in.ts'

const testContext = makeTestContext()
const { deps, call } = testContext
const LINK = '/api/v1/auth/idp/link'

test('a session that ends during the provider round trip cannot link an identity', async () => {
  const { id, email, password, token: stolen } = await register(testContext)
  const signedIn = await call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: { 'cf-connecting-ip': freshAddress() },
  })
  const change = { current_password: password, new_password: 'nobody else knows this' }
  const body = await prepareReturn(testContext, 'link', async () => {
    const changed = await call('POST', '/api/v1/auth/password', {
      token: signedIn.json.access_token,
      body: change,
    })
    expect(changed.status).toBe(200)
    return freshIdentity()
  })
  expect((await call('POST', LINK, { token: stolen, body })).status).toBe(401)
  expect(await findAccount(deps.db, id)).toMatchObject({ idpIssuer: null, idpSubject: null })
})

test('an identity that is concurrently linked to another account is refused', async () => {
  const [first, second] = [await register(testContext), await register(testContext)]
  const identity = freshIdentity()
  const link = async (token: string) =>
    call('POST', LINK, { token, body: await prepareReturn(testContext, 'link', async () => identity) })
  expect((await link(first.token)).status).toBe(200)
  const refused = await link(second.token)
  expect([refused.status, refused.json.code]).toEqual([409, 'identity_already_linked'])
})

test('only the session that began a link can finish it, even within one account', async () => {
  const person = await register(testContext)
  const credentials = { email: person.email, password: person.password }
  const other = (
    await call('POST', '/api/v1/auth/login', {
      body: credentials,
      headers: { 'cf-connecting-ip': freshAddress() },
    })
  ).json.access_token
  const provider = deps.identityProvider
  if (provider === null) throw new Error('no provider is configured')
  provider.finish = async () => freshIdentity()
  const begin = async (token: string) => {
    const state = crypto.randomUUID()
    const authorization_url = 'https://id.example/authorize'
    provider.begin = async () => ({ authorization_url, state, nonce: 'nonce', code_verifier: 'verifier' })
    const body = { next: '/', mode: 'link' }
    expect((await call('POST', '/api/v1/auth/idp/start', { token, body })).status).toBe(200)
    return { code: 'code', state }
  }
  const refused = await call('POST', LINK, { token: other, body: await begin(person.token) })
  expect([refused.status, refused.json.code]).toEqual([400, 'invalid_sign_in_state'])
  expect((await call('POST', LINK, { token: other, body: await begin(other) })).status).toBe(200)
})

describe('a stolen session', () => {
  const CALLBACK = '/api/v1/auth/idp/callback'
  const link = async (token: string, identity: Identity, proof: object = {}, context = testContext) =>
    context.call('POST', LINK, {
      token,
      body: { ...(await prepareReturn(context, 'link', async () => identity)), ...proof },
    })
  const signInBy = async (identity: Identity) =>
    call('POST', CALLBACK, { body: await prepareReturn(testContext, 'login', async () => identity) })
  const later = async () => {
    const context = await makeLimitedContext()
    context.clock.now += 10 * 60_000 + 2000
    return context
  }
  const emailsOf = async (email: string) =>
    (
      await deps.db.$client.execute({
        sql: `SELECT payload ->> '$.content.status' AS status FROM outbox
          WHERE payload ->> 'to' = ? AND payload ->> '$.content.kind' = 'identity' ORDER BY rowid`,
        args: [email],
      })
    ).rows.map(({ status }) => status)

  test('links and unlinks nothing without the password once the sign-in is 10 minutes old', async () => {
    const person = await register(testContext)
    const context = await later()
    const identity = freshIdentity()
    const refused = await link(person.token, identity, {}, context)
    expect([refused.status, refused.json.code]).toEqual([400, 'current_password_required'])
    const wrong = await link(person.token, identity, { current_password: 'a wrong one' }, context)
    expect([wrong.status, wrong.json.code]).toEqual([400, 'wrong_current_password'])
    const start = { token: person.token, body: { mode: 'link', next: '/' } }
    expect((await context.call('POST', '/api/v1/auth/idp/start', start)).status).toBe(400)
    const proof = { current_password: person.password }
    expect((await link(person.token, identity, proof, context)).status).toBe(200)
    expect((await context.call('DELETE', LINK, { token: person.token })).status).toBe(400)
    const unlinked = await context.call('DELETE', LINK, { token: person.token, body: proof })
    expect([unlinked.status, unlinked.json.idp_linked]).toEqual([200, false])
  })

  test('does not outlive a change of the password by the owner, who gets emails', async () => {
    const { id, email, password, token } = await register(testContext)
    await confirmAddress(deps, id)
    const thief = freshIdentity()
    expect((await link(token, thief)).status).toBe(200)
    expect((await signInBy(thief)).json.user.id).toBe(id)
    const change = { current_password: password, new_password: 'nobody else knows this' }
    const changed = await call('POST', '/api/v1/auth/password', { token, body: change })
    expect([changed.status, changed.json.idp_linked]).toEqual([200, false])
    const refused = await signInBy(thief)
    expect([refused.status, refused.json.code]).toEqual([403, 'identity_email_unverified'])
    expect(await emailsOf(email)).toEqual(['linked', 'unlinked'])
  })

  test('does not outlive a password reset, which deletes API keys on request', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    const { key } = await makeKey(testContext, person)
    const thief = freshIdentity()
    expect((await link(person.token, thief)).status).toBe(200)
    const reset = async (delete_api_keys?: boolean) => {
      const token = makeLinkToken()
      const row = { requestId: crypto.randomUUID(), accountId: person.id, expiresAt: Date.now() + 60_000 }
      await deps.db.insert(passwordResets).values({ ...row, tokenHash: hashLinkToken(token) })
      const body = {
        token,
        new_password: 'nobody else knows this',
        ...(delete_api_keys && { delete_api_keys }),
      }
      return call('POST', '/api/v1/auth/password/reset', { body })
    }
    const done = await reset()
    expect([done.status, done.json.user.idp_linked]).toEqual([200, false])
    expect((await signInBy(thief)).json.code).toBe('identity_email_unverified')
    expect((await call('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(401)
    expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
    expect((await reset(true)).status).toBe(200)
    expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(401)
  })
})
