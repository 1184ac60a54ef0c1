import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { Browser } from './support/browser.ts'
import { execute } from './support/credentials.ts'
import { IDP, visitProvider } from './support/identity-provider.ts'

const system = inject('system')

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
type Answer = Awaited<ReturnType<typeof visitProvider>>

let visitor: Client
beforeAll(() => {
  visitor = new Client(system.api_url)
})

async function signIn(name: string, next?: string) {
  const answer = await visitProvider(visitor, name, next === undefined ? {} : { next })
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

describe('signing in with the identity provider', () => {
  test('creates a confirmed account with the welcome grant, and signs in to it the next time', async () => {
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

  test('links the account of the verified email address and revokes its password and sessions', async () => {
    const { id, client, credentials } = await openAccount(system.api_url)
    const { created, user, client: owner } = await signIn(credentials.email)
    expect([created, user.id]).toEqual([false, id])
    expect(user).toMatchObject({ email_verified: true, has_password: false, idp_linked: true })
    expect(await owner.balance()).toBe(70)
    await expect.poll(() => readStatus(client, 'GET', '/api/v1/auth/me'), { timeout: 8000 }).toBe(401)
    expect(await readStatus(visitor, 'POST', '/api/v1/auth/login', credentials)).toBe(401)
  })

  test('is refused if the provider has not verified the email address, whether the account exists or not', async () => {
    const name = `unverified-${crypto.randomUUID()}`
    const answer = await visitProvider(visitor, name)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(403)
    const credentials = { email: `${name}@localhost.test`, password: 'correct horse battery' }
    await new Client(system.api_url).register(credentials)
    const again = await visitProvider(visitor, name)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, again)).toBe(403)
  })
})

describe('the response of the provider', () => {
  test('is accepted once', async () => {
    const answer = await visitProvider(visitor, freshName())
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(200)
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(400)
  })

  test('is accepted once, also with concurrent requests', async () => {
    const answer = await visitProvider(visitor, freshName())
    const send = () => readStatus(visitor, 'POST', `${IDP}/callback`, answer)
    expect((await Promise.all([send(), send(), send()])).sort()).toEqual([200, 400, 400])
  })

  test('is refused with an unknown code or an unknown state', async () => {
    const answer = await visitProvider(visitor, freshName())
    const other = await visitProvider(visitor, freshName())
    const forged = { code: 'unknown', state: answer.state }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, forged)).toBe(400)
    const unknown = { code: answer.code, state: 'unknown' }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, unknown)).toBe(400)
    // PKCE binds each code to the state of the sign-in that it belongs to.
    const mixed = { code: answer.code, state: other.state }
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, mixed)).toBe(400)
  })

  test('is refused if the token has the nonce of another sign-in', async () => {
    const answer = await visitProvider(visitor, freshName())
    const sql = "UPDATE idp_flows SET nonce = 'of-another' WHERE state = ?"
    await execute(system.database_url, sql, [answer.state])
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, answer)).toBe(400)
  })

  test('is refused by the endpoint of the other mode', async () => {
    const { client } = await openAccount(system.api_url)
    const toLink = await visitProvider(visitor, freshName(), { mode: 'link' })
    expect(await readStatus(visitor, 'POST', `${IDP}/callback`, toLink)).toBe(400)
    const toSignIn = await visitProvider(visitor, freshName())
    expect(await readStatus(client, 'POST', `${IDP}/link`, toSignIn)).toBe(400)
  })

  test.each([
    ['another browser', { 'sec-fetch-site': 'same-origin' }],
    ['another old browser', { origin: new URL(system.api_url).origin }],
  ])('is refused in %s than the one that started the flow', async (_name, inBrowser) => {
    const startFlow = async () => {
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
    const own = await startFlow()
    expect(own.cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
    const other = await startFlow()
    expect(await finish(own.answer, { cookie: own.cookie.split(';')[0] ?? '' })).toBe(200)
    expect(await finish(other.answer, {})).toBe(400)
    const third = await startFlow()
    expect(await finish(third.answer, { cookie: own.cookie.split(';')[0] ?? '' })).toBe(400)
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
    'does not accept %s as the redirect target',
    async (next) => {
      expect(await readStatus(visitor, 'POST', `${IDP}/start`, { next, mode: 'login' })).toBe(422)
    },
  )
})

describe('linking', () => {
  test('adds the identity to the account of the session, which then signs in with either', async () => {
    const name = freshName()
    const { id, client, credentials } = await openAccount(system.api_url)
    const answer = await visitProvider(visitor, name, { mode: 'link' })
    const linked = await readAccount(await client.send('POST', `${IDP}/link`, answer))
    expect([linked.id, linked.idp_linked]).toEqual([id, true])
    expect((await signIn(name)).user.id).toBe(id)
    expect(await readStatus(visitor, 'POST', '/api/v1/auth/login', credentials)).toBe(200)
    const unlinked = await readAccount(await client.send('DELETE', `${IDP}/link`))
    expect(unlinked.idp_linked).toBe(false)
    expect((await signIn(name)).created).toBe(true)
  })

  test('is refused for an identity of another account and for a second identity', async () => {
    const name = freshName()
    await signIn(name)
    const { client } = await openAccount(system.api_url)
    const link = async (person: string) =>
      readStatus(client, 'POST', `${IDP}/link`, await visitProvider(visitor, person, { mode: 'link' }))
    expect(await link(name)).toBe(409)
    const own = freshName()
    expect([await link(own), await link(own), await link(freshName())]).toEqual([200, 200, 409])
  })

  test('cannot be undone while the account has no password', async () => {
    const { client } = await signIn(freshName())
    expect(await readStatus(client, 'DELETE', `${IDP}/link`)).toBe(409)
    const password = { new_password: 'correct horse battery' }
    const account = await readAccount(await client.send('POST', '/api/v1/auth/password', password))
    expect(account.has_password).toBe(true)
    expect(await readStatus(client, 'DELETE', `${IDP}/link`)).toBe(200)
  })
})
