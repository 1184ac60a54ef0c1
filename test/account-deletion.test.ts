import { expect, inject, test } from 'vitest'
import { Client } from '../dev/client.ts'
import { openConfirmedAccount } from './support/credentials.ts'
import { waitForEmail } from './support/emails.ts'

const system = inject('system')

test('a deleted account is gone, and its address can register again without free credits', async () => {
  const { client, credentials } = await openConfirmedAccount(system)
  const { email, password } = credentials
  await client.login(credentials)
  const exported = await client.send('GET', '/api/v1/auth/me/export')
  expect(await exported.json()).toMatchObject({ account: [{ email, has_password: true }], jobs: [] })
  const deleted = await client.send('DELETE', '/api/v1/auth/me', {
    confirm: email,
    current_password: password,
  })
  expect([deleted.status, await deleted.json()]).toEqual([
    200,
    { deleted_at: expect.any(String), expired_credits: 20, expired_paid_credits: 0, refunds: [] },
  ])
  expect((await waitForEmail(system.mail_url, email)).subject).toBe('Your account was deleted')
  expect((await client.send('GET', '/api/v1/auth/me')).status).toBe(401)
  await expect(new Client(system.api_url).login(credentials)).rejects.toThrow()
  const again = new Client(system.api_url)
  await again.register(credentials)
  expect(await again.balance()).toBe(0)
  expect(await again.verifyLedger()).toMatchObject({ ok: true })
})
