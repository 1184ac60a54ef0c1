import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { listEmails, waitForEmail } from './support/emails.ts'

const system = inject('system')

const Verified = z.object({ email_verified: z.boolean(), granted_credits: z.int() })

test('the confirmation code arrives by email as text and HTML, and confirms the address', async () => {
  const { client, credentials } = await openAccount(system.api_url)
  expect(await listEmails(system.mail_url, credentials.email)).toEqual([])
  const sent = await client.send('POST', '/api/v1/auth/email/send-code')
  expect(sent.status).toBe(200)
  const message = await waitForEmail(system.mail_url, credentials.email)
  const code = /^(\d{6}) is your confirmation code$/.exec(message.subject)?.[1] ?? ''
  expect(message.text).toContain(code)
  expect(message.html).toContain(code)
  const answer = await client.send('POST', '/api/v1/auth/email/verify', { code })
  expect(Verified.parse(await answer.json())).toEqual({ email_verified: true, granted_credits: 50 })
  expect(await client.balance()).toBe(70)
})

test.each([
  ['uk', 'ваш код підтвердження', 'Вітаємо!'],
  ['ru', 'ваш код подтверждения', 'Здравствуйте!'],
])('emails are in the language %s of the account', async (language, subject, greeting) => {
  const client = new Client(system.api_url)
  const email = `${crypto.randomUUID()}@localhost.test`
  const body = { email, password: 'correct horse battery', full_name: 'Оксана' }
  const registered = await client.send('POST', '/api/v1/auth/register', body, { 'accept-language': language })
  const { access_token } = z.looseObject({ access_token: z.string() }).parse(await registered.json())
  client.token = access_token
  await client.send('POST', '/api/v1/auth/email/send-code')
  const message = await waitForEmail(system.mail_url, email)
  expect(message.subject).toContain(subject)
  expect(message.text).toContain(greeting)
  expect(message.html).toContain(greeting)
  // An unconfirmed address must not receive text that a stranger could have entered.
  expect(message.text).not.toContain('Оксана')
})
