import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register } from '../../test/edge/worker/people.ts'
import { authenticate } from '../accounts/authenticate.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

const SESSION_ENDPOINTS = [
  ['GET', '/api/v1/auth/me'],
  ['POST', '/api/v1/auth/password'],
  ['GET', '/api/v1/auth/email/status'],
  ['POST', '/api/v1/auth/email/send-code'],
  ['POST', '/api/v1/auth/email/verify'],
  ['POST', '/api/v1/auth/idp/link'],
  ['DELETE', '/api/v1/auth/idp/link'],
  ['GET', '/api/v1/tokens'],
  ['POST', '/api/v1/tokens'],
  ['POST', '/api/v1/tokens/1/toggle'],
  ['DELETE', '/api/v1/tokens/1'],
  ['POST', '/api/v1/jobs'],
  ['GET', '/api/v1/billing/balance'],
  ['GET', '/api/v1/billing/ledger'],
  ['GET', '/api/v1/billing/ledger/verify'],
] as const

const EITHER_ENDPOINTS = [
  ['GET', '/api/v1/me/ping'],
  ['POST', '/api/v1/jobs/api'],
  ['GET', '/api/v1/jobs'],
  ['GET', '/api/v1/jobs/x'],
  ['POST', '/api/v1/jobs/x/cancel'],
  ['GET', '/api/v1/uploads/download?url=x'],
] as const

function firstKey(): { kid: string; secret: Uint8Array } {
  const [kid = '', ...secret] = (deps.env.SESSION_KEYS[0] ?? '').split(':')
  return { kid, secret: Uint8Array.from(atob(secret.join(':')), (char) => char.charCodeAt(0)) }
}

/** Creates another token of a person's session the way the service does, with the given changes. */
function forge(
  { token }: Person,
  {
    header = {},
    claims = {},
    secret = firstKey().secret,
    lives_seconds = 3600,
    issuer = 'media-credits',
  } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: 'HS256', kid: firstKey().kid, ...header })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + lives_seconds)
    .sign(secret)
}

function base64url(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

describe.each(SESSION_ENDPOINTS)('%s %s requires a session', (method, path) => {
  test('without credentials it responds 401 missing bearer token', async () => {
    const answer = await call(method, path)
    expect([answer.status, answer.code]).toEqual([401, 'missing_bearer_token'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('an API key is refused in either header', async () => {
    const { key } = await makeKey(testContext, await register(testContext))
    const inHeader = await call(method, path, { key })
    expect([inHeader.status, inHeader.code]).toEqual([401, 'missing_bearer_token'])
    const asBearer = await call(method, path, { token: key })
    expect([asBearer.status, asBearer.code]).toEqual([401, 'invalid_bearer_token'])
    for (const { headers } of [inHeader, asBearer])
      expect(headers.get('www-authenticate')).toMatch(/^Bearer .*does not accept API keys/)
  })

  test('an invalid token is 401 invalid bearer token', async () => {
    const answer = await call(method, path, { token: 'a.b.c' })
    expect([answer.status, answer.code]).toEqual([401, 'invalid_bearer_token'])
  })
})

describe.each(EITHER_ENDPOINTS)('%s %s accepts a session or a key', (method, path) => {
  test('without credentials it responds 401 missing API key', async () => {
    const answer = await call(method, path)
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
  })

  test('an unknown key is 401 invalid API key, in either header', async () => {
    for (const options of [{ key: 'mk_unknown' }, { key: 'no key at all' }, { token: 'mk_unknown' }]) {
      const answer = await call(method, path, options)
      expect([answer.status, answer.code]).toEqual([401, 'invalid_api_key'])
    }
  })

  test('an invalid session token is 401 invalid bearer token', async () => {
    const answer = await call(method, path, { token: 'a.b.c' })
    expect([answer.status, answer.code]).toEqual([401, 'invalid_bearer_token'])
  })
})

describe('session tokens', () => {
  test('of the service are accepted, also after a new signing key was added', async () => {
    const person = await register(testContext)
    expect((await call('GET', '/api/v1/auth/me', { token: await forge(person) })).status).toBe(200)
    const rotated = makeTestContext({
      SESSION_KEYS: `next:${btoa('x'.repeat(32))},${deps.env.SESSION_KEYS[0]}`,
    })
    expect((await rotated.call('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(200)
  })

  test.each([
    ['signed by another key', { secret: new TextEncoder().encode('another secret of 32 characters!') }],
    ['of an unknown key', { header: { kid: 'gone' } }],
    ['without a key id', { header: { kid: undefined } }],
    ['expired', { lives_seconds: -1 }],
    ['of another issuer', { issuer: 'elsewhere' }],
    ['of an earlier epoch', { claims: { epoch: 0 } }],
    ['without a token id', { claims: { jti: undefined } }],
    ['of a non-numeric epoch', { claims: { epoch: 'x' } }],
    ['of an unsupported algorithm', { header: { alg: 'HS384' }, secret: new Uint8Array(64) }],
  ])('%s are refused', async (_name, changed) => {
    const person = await register(testContext)
    const answer = await call('GET', '/api/v1/auth/me', { token: await forge(person, changed) })
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_bearer_token'])
  })

  test('with a swapped key id are refused, because each key verifies only its own tokens', async () => {
    const person = await register(testContext)
    const [own] = deps.env.SESSION_KEYS
    const other = btoa('y'.repeat(32))
    const two = makeTestContext({ SESSION_KEYS: `${own},second:${other}` })
    const token = await forge(person, { header: { kid: 'second' } })
    expect((await two.call('GET', '/api/v1/auth/me', { token })).status).toBe(401)
  })

  test('without a signature are refused', async () => {
    const { id, token: issued } = await register(testContext)
    const claims = {
      ...decodeJwt(issued),
      sub: String(id),
      epoch: 1,
      iss: 'media-credits',
      exp: Math.floor(Date.now() / 1000) + 60,
    }
    for (const alg of ['none', 'None', 'HS256']) {
      const token = `${base64url({ alg, kid: firstKey().kid })}.${base64url(claims)}.`
      expect((await call('GET', '/api/v1/auth/me', { token })).status).toBe(401)
    }
  })

  test.each(['', '.', '..', 'x'.repeat(5000), 'é.é.é', '{}.{}.{}', 'null'])(
    'like %j are refused',
    async (token) => {
      const answer = await call('GET', '/api/v1/auth/me', {
        headers: { authorization: `Bearer ${encodeURI(token)}` },
      })
      expect(answer.status).toBe(401)
    },
  )

  test('expire after seven days, even when they were just verified', async () => {
    const { token } = await register(testContext)
    let now = Date.now()
    const moved = depsAt(testContext, { now: () => now })
    const credential = { from: 'bearer', text: token } as const
    expect(await authenticate(moved, credential)).not.toBeNull()
    now += 7 * 24 * 60 * 60 * 1000 - 2000
    expect(await authenticate(moved, credential)).not.toBeNull()
    now += 2000
    expect(await authenticate(moved, credential)).toBeNull()
  })

  test('in the API key header are refused, even when they were just verified', async () => {
    const { token } = await register(testContext)
    expect((await call('GET', '/api/v1/me/ping', { token })).status).toBe(200)
    const answer = await call('GET', '/api/v1/me/ping', { key: token })
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_api_key'])
  })
})

describe('API keys', () => {
  test('are accepted in both headers', async () => {
    const { key } = await makeKey(testContext, await register(testContext))
    expect((await call('GET', '/api/v1/me/ping', { key })).json.auth).toBe('key')
    expect((await call('GET', '/api/v1/me/ping', { token: key })).json.auth).toBe('key')
    const lower = await call('GET', '/api/v1/me/ping', { headers: { authorization: `bearer ${key}` } })
    expect(lower.json.auth).toBe('key')
  })
})

test('other schemes are ignored', async () => {
  const { token } = await register(testContext)
  for (const authorization of [`Basic ${token}`, token, 'Bearer', `Bearer ${token} ${token}`]) {
    const answer = await call('GET', '/api/v1/me/ping', { headers: { authorization } })
    expect(answer.status).toBe(401)
  }
})
