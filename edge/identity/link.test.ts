import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshIdentity, prepareReturn } from '../../test/edge/worker/identity.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { register } from '../../test/edge/worker/people.ts'
import { findAccount } from '../accounts/queries.ts'

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
