import { expect, test } from 'vitest'
import { openAccount } from '../support/accounts.ts'
import { listEmails, waitForEmail } from '../support/emails.ts'
import { countEffects, resendAllEffects } from '../support/inside.ts'
import { useSecondSystem } from '../support/second-system.ts'

const system = useSecondSystem()

test('an email is sent once when the mail server returns, and the request succeeds while it is down', async () => {
  const { client, credentials } = await openAccount(system().api_url)
  await system().parts.mail.kill()
  const sent = await client.send('POST', '/api/v1/auth/email/send-code')
  expect(sent.status).toBe(200)
  expect(await countEffects(system())).toBe(1)
  await resendAllEffects(system())
  expect(await countEffects(system())).toBe(1)
  await system().parts.mail.start()
  await resendAllEffects(system())
  const email = await waitForEmail(system().mail_url, credentials.email)
  await expect.poll(() => countEffects(system())).toBe(0)
  await resendAllEffects(system())
  expect(await listEmails(system().mail_url, credentials.email)).toHaveLength(1)
  const code = email.subject.slice(0, 6)
  const answer = await client.send('POST', '/api/v1/auth/email/verify', { code })
  expect(answer.status).toBe(200)
})
