import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { Browser } from './support/browser.ts'
import { execute } from './support/credentials.ts'

const system = inject('system')
const IDP = '/api/v1/auth/idp'

const Account = z.looseObject({
  id: z.int(),
  email: z.string(),
  email_verified: z.boolean(),
  has_password: z.boolean(),
  idp_linked: z.boolean(),
})
const SignedIn = z.looseObject({
  access_token: z.string(),
  created: z.boolean(),
  next: z.string(),
  user: Account,
})
type Answer = { code: string; state: string }

let visitor: Client
beforeAll(() => {
  visitor = new Client(system.api_url)
})

/** Goes to the provider and comes back, as a person with this name there. */
async function visitProvider(name: string, mode: 'login' | 'link' = 'login', next = '/'): Promise<Answer> {
  const started = await visitor.send('POST', `${IDP}/start`, { next, mode })
  expect(started.status).toBe(200)
  const { authorization_url } = z.object({ authorization_url: z.url() }).parse(await started.json())
  return new Browser().signIn(authorization_url, name)
}

async function signIn(name: string, next?: string) {
  const answer = await visitProvider(name, 'login', next)
  const response = await visitor.send('POST', `${IDP}/callback`, answer)
  expect(response.status).toBe(200)
  const signedIn = SignedIn.parse(await response.json())
  return { ...signedIn, client: new Client(system.api_url, signedIn.access_token) }
}

async function readStatus(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  const response = await client.send(method, path, body)
  await response.body?.cancel()
  return response.status
}

async function readAccount(response: Response) {
  expect(response.status).toBe(200)
  return Account.parse(await response.json())
}

const freshName = () => `p-${crypto.randomUUID()}`

describe('signing in by the identity provider', () => {
  test('opens a confirmed account with its welcome grant, and the same one the next time', async () => {
    const name = freshName()
    const first = await signIn(name, '/studio?tool=1')
    expect(first).toMatchObject({
      created: true,
      next: '/studio?tool=1',
      user: {
        email: `${name}@localhost.test`,
        email_verified: true,
        has_password: false,
        idp_linked: true,
        locale: 'uk',
      },
    })
    expect(await first.client.balance()).toBe(70)
    const second = await signIn(name)
    expect([second.created, second.user.id]).toEqual([false, first.user.id])
    expect(await second.client.balance()).toBe(70)
  })

  test('links the account of the verified address, and takes from it what a stranger may hold', async () => {
    const { id, client, credentials } = await openAccount(system.api_url)
    const { created, user, client: owner } = await signIn(credentials.email)
    expect([created, user.id]).toEqual([false, id])
    expect(user).toMatchObject({ email_verified: true, has_password: false, idp_linked: true })
    expect(await owner.balance()).toBe(70)
    await expect.poll(() => readStatus(client, 'GET', '/api/v1/auth/me'), { timeout: 8000 }).toBe(401)
    expect(await readStatus(visitor, 'POST', '/api/v1/auth/login', credentials)).toBe(401)
  })

  test('is refused where the provider has not verified the address, new or known', async () => {
    const name = `unverified-${crypto.randomUUID()}`
    const answer = await visitProvider(name)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(403)
    const credentials = { email: `${name}@localhost.test`, password: 'correct horse battery' }
    await new Client(system.api_url).register(credentials)
    const again = await visitProvider(name)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, again)).toBe(403)
  })
})

describe('what came back from the provider', () => {
  test('is good once', async () => {
    const answer = await visitProvider(freshName())
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(200)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(400)
  })

  test('is good once, also when it is sent twice at the same time', async () => {
    const answer = await visitProvider(freshName())
    const send = () => readStatus(visitor, 'POST', `${IDP}/callback`, answer)
    expect((await Promise.all([send(), send(), send()])).sort()).toEqual([200, 400, 400])
  })

  test('is refused with a code that is made up, or with a state that is', async () => {
    const answer = await visitProvider(freshName())
    const other = await visitProvider(freshName())
    const forged = { code: 'made-up', state: answer.state }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, forged)).toBe(400)
    const unknown = { code: answer.code, state: 'made-up' }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, unknown)).toBe(400)
    // PKCE: a code is worth nothing beside another sign-in's state.
    const mixed = { code: answer.code, state: other.state }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, mixed)).toBe(400)
  })

  test('is refused where the token was made for another sign-in', async () => {
    const answer = await visitProvider(freshName())
    const sql = "UPDATE idp_flows SET nonce = 'of-another' WHERE state = ?"
    await execute(system.database_url, sql, [answer.state])
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(400)
  })

  test('is refused where the other mode was begun', async () => {
    const { client } = await openAccount(system.api_url)
    const toLink = await visitProvider(freshName(), 'link')
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, toLink)).toBe(400)
    const toSignIn = await visitProvider(freshName(), 'login')
    expect(await readStatus(client, 'POST', `${IDP}/link`, toSignIn)).toBe(400)
  })

  test.each([
    ['another browser', { 'sec-fetch-site': 'same-origin' }],
    ['another old browser', { origin: new URL(system.api_url).origin }],
  ])('is refused in %s than the one that began', async (_name, inBrowser) => {
    const begin = async () => {
      const started = await visitor.send('POST', `${IDP}/start`, {}, inBrowser)
      const cookie = started.headers.getSetCookie()[0] ?? ''
      const { authorization_url } = z.object({ authorization_url: z.url() }).parse(await started.json())
      return { cookie, answer: await new Browser().signIn(authorization_url, freshName()) }
    }
    const finish = async (answer: Answer, headers: Record<string, string>) => {
      const response = await visitor.send('POST', `${IDP}/callback`, answer, { ...inBrowser, ...headers })
      await response.body?.cancel()
      return response.status
    }
    const own = await begin()
    expect(own.cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
    const other = await begin()
    expect(await finish(own.answer, { cookie: own.cookie.split(';')[0] ?? '' })).toBe(200)
    expect(await finish(other.answer, {})).toBe(400)
    const third = await begin()
    expect(await finish(third.answer, { cookie: own.cookie.split(';')[0] ?? '' })).toBe(400)
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
    'never leads to %s',
    async (next) => {
      expect(await readStatus(visitor, 'POST', `${IDP}/start`, { next, mode: 'login' })).toBe(422)
    },
  )
})

describe('linking', () => {
  test('adds the identity to the account of the session; it then signs in by either', async () => {
    const name = freshName()
    const { id, client, credentials } = await openAccount(system.api_url)
    const answer = await visitProvider(name, 'link')
    const linked = await readAccount(await client.send('POST', `${IDP}/link`, answer))
    expect([linked.id, linked.idp_linked]).toEqual([id, true])
    expect((await signIn(name)).user.id).toBe(id)
    expect(await readStatus(visitor, 'POST', '/api/v1/auth/login', credentials)).toBe(200)
    const unlinked = await readAccount(await client.send('DELETE', `${IDP}/link`))
    expect(unlinked.idp_linked).toBe(false)
    expect((await signIn(name)).created).toBe(true)
  })

  test('is refused for an identity that another account has, and for a second identity', async () => {
    const name = freshName()
    await signIn(name)
    const { client } = await openAccount(system.api_url)
    const link = async (person: string) =>
      readStatus(client, 'POST', `${IDP}/link`, await visitProvider(person, 'link'))
    expect(await link(name)).toBe(409)
    const own = freshName()
    expect([await link(own), await link(own), await link(freshName())]).toEqual([200, 200, 409])
  })

  test('cannot be undone while the identity is the only way in; a first password makes it so', async () => {
    const { client } = await signIn(freshName())
    expect(await readStatus(client, 'DELETE', `${IDP}/link`)).toBe(409)
    const password = { new_password: 'correct horse battery' }
    const account = await readAccount(await client.send('POST', '/api/v1/auth/password', password))
    expect(account.has_password).toBe(true)
    expect(await readStatus(client, 'DELETE', `${IDP}/link`)).toBe(200)
  })
})
