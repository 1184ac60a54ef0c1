import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { ageSession, openConfirmedAccount } from './support/credentials.ts'
import { listEmails } from './support/emails.ts'
import { IDP, visitProvider } from './support/identity-provider.ts'

/** What someone can do who has the session of another person, with the code exchange of a real OpenID provider. */
const system = inject('system')
const visitor = new Client(system.api_url)
const NEW_PASSWORD = 'staple battery horse'
const MINUTES_11_MS = 11 * 60 * 1000

/** The status and the error code of a response. */
async function outcome(response: Response) {
  const body = z.looseObject({ code: z.string().optional() }).parse(await response.json())
  return [response.status, body.code]
}

async function link(client: Client, name: string, proof: object = {}) {
  const answer = await visitProvider(visitor, name, { mode: 'link' })
  return outcome(await client.send('POST', `${IDP}/link`, { ...answer, ...proof }))
}

const signIn = async (name: string) =>
  visitor.send('POST', `${IDP}/callback`, await visitProvider(visitor, name))

/** A thief, whose identity has no address that the provider has verified, with the session of an owner. */
async function steal(owner: Account, age_ms: number) {
  const token = await ageSession(system, owner.client, age_ms)
  return { name: `unverified-${crypto.randomUUID()}`, client: new Client(system.api_url, token) }
}

/** Links the identity of a thief by a session that has just started. */
async function linkThief(owner: Account): Promise<string> {
  const { name, client } = await steal(owner, 0)
  expect(await link(client, name)).toEqual([200, undefined])
  const entered = await signIn(name)
  expect(entered.status).toBe(200)
  expect(await entered.json()).toMatchObject({ user: { id: owner.id } })
  return name
}

/** Waits until the owner has emails about an identity, which are sent beside the response. */
async function expectEmails({ credentials }: Account, subjects: string[]): Promise<void> {
  const list = async () => {
    const emails = await listEmails(system.mail_url, credentials.email)
    return emails.map(({ subject }) => subject).sort()
  }
  await expect.poll(list, { interval: 100 }).toEqual(subjects.sort())
}

const LINKED = 'A sign-in was linked to your account'
const UNLINKED = 'A sign-in was unlinked from your account'

async function readResetToken({ credentials: { email } }: Account): Promise<string> {
  const requested = await visitor.send('POST', '/api/v1/auth/password/reset-request', { email })
  expect(requested.status).toBe(202)
  const find = async () => {
    const emails = await listEmails(system.mail_url, email)
    return emails.map(({ text }) => /reset-password\S*#(\S+)/.exec(text)?.[1]).find(Boolean) ?? ''
  }
  await expect.poll(find, { interval: 100 }).not.toBe('')
  return find()
}

describe('a stolen session', () => {
  test('links no identity without a recent sign-in or the password', async () => {
    const owner = await openAccount(system.api_url)
    const { name, client } = await steal(owner, MINUTES_11_MS)
    expect(await link(client, name)).toEqual([400, 'current_password_required'])
    const start = await client.send('POST', `${IDP}/start`, { mode: 'link', next: '/' })
    expect(await outcome(start)).toEqual([400, 'current_password_required'])
    expect(await link(client, name, { current_password: 'a wrong one' })).toEqual([
      400,
      'wrong_current_password',
    ])
    expect((await signIn(name)).status).toBe(403)
    const { password: current_password } = owner.credentials
    expect(await link(client, name, { current_password })).toEqual([200, undefined])
  })

  test('of an account without a password links and unlinks nothing, and sets no password', async () => {
    const name = `p-${crypto.randomUUID()}`
    const { access_token } = z
      .looseObject({ access_token: z.string() })
      .parse(await (await signIn(name)).json())
    const token = await ageSession(system, new Client(system.api_url, access_token), MINUTES_11_MS)
    const client = new Client(system.api_url, token)
    const refused = [403, 'recent_sign_in_required']
    expect(await link(client, `unverified-${crypto.randomUUID()}`)).toEqual(refused)
    expect(await outcome(await client.send('DELETE', `${IDP}/link`, {}))).toEqual(refused)
    const set = await client.send('POST', '/api/v1/auth/password', { new_password: NEW_PASSWORD })
    expect(await outcome(set)).toEqual(refused)
  })

  test('gives no lasting access through an identity when the owner changes the password', async () => {
    const owner = await openConfirmedAccount(system)
    const thief = await linkThief(owner)
    const change = { current_password: owner.credentials.password, new_password: NEW_PASSWORD }
    expect((await owner.client.send('POST', '/api/v1/auth/password', change)).status).toBe(200)
    expect(await outcome(await signIn(thief))).toEqual([403, 'identity_email_unverified'])
    await expectEmails(owner, [LINKED, UNLINKED, 'Your password was changed'])
  })

  test('gives no lasting access through an identity when the owner resets the password by email', async () => {
    const owner = await openConfirmedAccount(system)
    const thief = await linkThief(owner)
    const stolen = (await steal(owner, 0)).client
    const body = { token: await readResetToken(owner), new_password: NEW_PASSWORD }
    expect((await visitor.send('POST', '/api/v1/auth/password/reset', body)).status).toBe(200)
    expect(await outcome(await signIn(thief))).toEqual([403, 'identity_email_unverified'])
    const readStatus = async () => (await stolen.send('GET', '/api/v1/auth/me')).status
    await expect.poll(readStatus, { timeout: 8000 }).toBe(401)
    await expectEmails(owner, [LINKED, UNLINKED, 'Reset your password', 'Your password was changed'])
  })
})

test('a first password removes the identity, which returns with a sign-in by its verified address', async () => {
  const name = `p-${crypto.randomUUID()}`
  const email = `${name}@localhost.test`
  const created = z
    .looseObject({ user: z.looseObject({ id: z.int() }) })
    .parse(await (await signIn(name)).json())
  const owner = { id: created.user.id, client: visitor, credentials: { email, password: '' } }
  const body = { token: await readResetToken(owner), new_password: NEW_PASSWORD }
  const reset = await visitor.send('POST', '/api/v1/auth/password/reset', body)
  expect(await reset.json()).toMatchObject({ user: { has_password: true, idp_linked: false } })
  const again = await signIn(name)
  expect(await again.json()).toMatchObject({
    created: false,
    user: { id: owner.id, has_password: true, idp_linked: true },
  })
  await new Client(system.api_url).login({ email, password: NEW_PASSWORD })
})
