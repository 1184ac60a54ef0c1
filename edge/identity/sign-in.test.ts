import { expect, test, vi } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshIdentity, prepareReturn } from '../../test/edge/worker/identity.ts'
import { ledgerOf, register } from '../../test/edge/worker/people.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { findAccount } from '../accounts/queries.ts'
import type { Identity } from './rules/sign-in.ts'

async function signIn(testContext: TestContext, identity: Identity, chosen: { locale?: string } = {}) {
  const returned = await prepareReturn(testContext, 'login', async () => identity)
  const body = { ...returned, ...chosen }
  const answer = await testContext.call('POST', '/api/v1/auth/idp/callback', { body })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

test('an account without a password that is later added to ADMIN_EMAILS is an administrator from its next sign-in', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const identity = freshIdentity({ email, email_verified: true })
  const before = await signIn(makeTestContext(), identity)
  expect(before).toMatchObject({ created: true, user: { is_admin: false, has_password: false } })
  const testContext = makeTestContext({ ADMIN_EMAILS: email.toUpperCase() })
  const { access_token, user } = await signIn(testContext, identity)
  expect(user).toMatchObject({ id: before.user.id, is_admin: true })
  expect((await testContext.call('GET', '/api/v1/admin/settings', { token: access_token })).status).toBe(200)
})

test('two concurrent first sign-ins with one identity create one account and both succeed', async () => {
  const testContext = makeTestContext()
  const identity = freshIdentity({ email: `${crypto.randomUUID()}@example.com`, email_verified: true })
  const answers = await Promise.all([signIn(testContext, identity), signIn(testContext, identity)])
  expect(answers.map(({ created }) => created).sort()).toEqual([false, true])
  expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1)
  const { id, email } = answers[0].user
  const token = answers[0].access_token
  expect((await ledgerOf(testContext, { id, email, token, password: '' })).check).toMatchObject({
    balance: 70,
  })
})

/** Runs an action after the unverified account has been found but before the takeover changes anything. */
function beforeTakeOver({ deps }: TestContext, happen: () => Promise<unknown>) {
  const client = deps.db.$client
  const batch = client.batch.bind(client)
  const spy = vi.spyOn(client, 'batch').mockImplementation(async (queries, mode) => {
    if (JSON.stringify(queries).includes('webhook_secrets')) {
      spy.mockRestore()
      await happen()
    }
    return batch(queries, mode)
  })
}

test('an address verified concurrently by its owner is linked, and its account keeps everything', async () => {
  const testContext = makeTestContext()
  const { id, email } = await register(testContext)
  beforeTakeOver(testContext, () => confirmAddress(testContext.deps, id))
  const { user } = await signIn(testContext, freshIdentity({ email, email_verified: true }))
  expect(user).toMatchObject({ id, has_password: true, idp_linked: true })
})

test('an identity linked concurrently to another account signs in to that account, and the account of its address is unchanged', async () => {
  const testContext = makeTestContext()
  const [{ id, email }, other] = [await register(testContext), await register(testContext)]
  const identity = freshIdentity({ email, email_verified: true })
  beforeTakeOver(testContext, () => linkAccount(testContext.deps, other.id, identity))
  expect((await signIn(testContext, identity)).user.id).toBe(other.id)
  expect(await findAccount(testContext.deps.db, id)).toMatchObject({ passwordHash: expect.any(String) })
})

test('the language that the user has chosen is that of a new account, and no later sign-in changes it', async () => {
  const testContext = makeTestContext()
  const email = `${crypto.randomUUID()}@example.com`
  const identity = freshIdentity({ email, email_verified: true, locale: 'en-US' })
  const first = await signIn(testContext, identity, { locale: 'uk' })
  expect(first).toMatchObject({ created: true, user: { locale: 'uk' } })
  const second = await signIn(testContext, identity, { locale: 'ru' })
  expect(second).toMatchObject({ created: false, user: { locale: 'uk' } })
})

test('an account that someone else created is in the language that its owner has chosen', async () => {
  const testContext = makeTestContext()
  const { email } = await register(testContext)
  const identity = freshIdentity({ email, email_verified: true, locale: 'en' })
  const { user } = await signIn(testContext, identity, { locale: 'ru' })
  expect(user).toMatchObject({ has_password: false, locale: 'ru' })
})
