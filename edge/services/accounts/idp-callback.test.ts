import { expect, test } from 'vitest'
import { comeBack, freshIdentity } from '../../../test/edge/worker/identity.ts'
import { makeWorld, type World } from '../../../test/edge/worker/world.ts'
import type { Identity } from '../../rules/sign-in.ts'

async function signIn(world: World, identity: Identity) {
  const body = await comeBack(world, 'login', async () => identity)
  const answer = await world.call('POST', '/api/v1/auth/idp/callback', { body })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

test('an account without a password that ADMIN_EMAILS came to name later is an administrator from its next sign-in', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const identity = freshIdentity({ email, email_verified: true })
  const before = await signIn(makeWorld(), identity)
  expect(before).toMatchObject({ created: true, user: { is_admin: false, has_password: false } })
  const world = makeWorld({ ADMIN_EMAILS: email.toUpperCase() })
  const { access_token, user } = await signIn(world, identity)
  expect(user).toMatchObject({ id: before.user.id, is_admin: true })
  expect((await world.call('GET', '/api/v1/admin/settings', { token: access_token })).status).toBe(200)
})
