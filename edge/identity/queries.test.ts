import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { commit } from '../platform/database/commit.ts'
import { revokeAccessStatements } from './queries.ts'

test('a takeover revokes all credentials and signing secrets of the previous holder', async () => {
  const testContext = makeTestContext()
  const { deps, call } = testContext
  const stranger = await register(testContext)
  const { key } = await makeKey(testContext, stranger)
  const { token } = stranger
  const known = (await call('GET', '/api/v1/webhooks/secret', { token })).json.secret
  await commit(deps.db, revokeAccessStatements(deps.db, stranger.id, { fullName: null }))
  forgetCredentials(deps)
  expect((await call('GET', '/api/v1/auth/me', { token })).status).toBe(401)
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(401)
  const sql = 'SELECT secret, previous_secret FROM webhook_secrets WHERE account_id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [stranger.id] })
  expect(rows.flatMap((row) => [row.secret, row.previous_secret])).not.toContain(known)
})

test('a takeover replaces the identity that the previous holder linked', async () => {
  const testContext = makeTestContext()
  const { deps } = testContext
  const { id } = await register(testContext)
  const identityOf = (subject: string) => ({
    ...{ issuer: 'https://id.example', subject, email: null, email_verified: false },
    ...{ full_name: null, locale: null },
  })
  const [squatter, owner] = [identityOf(crypto.randomUUID()), identityOf(crypto.randomUUID())]
  await linkAccount(deps, id, squatter)
  await expect(linkAccount(deps, id, owner)).rejects.toMatchObject({ code: 'account_already_linked' })
  const account = await linkAccount(deps, id, owner, revokeAccessStatements(deps.db, id, { fullName: null }))
  expect(account).toMatchObject({ idpSubject: owner.subject, passwordHash: null })
})
