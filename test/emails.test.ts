import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { listEmails, waitForEmail } from './support/emails.ts'

const system = inject('system')

const Verified = z.object({ email_verified: z.boolean(), granted_credits: z.int() })

test('the code comes by mail, as text and HTML, and confirms the address', async () => {
  const { client, credentials } = await openAccount(system.api_url)
  expect(await listEmails(system.mail_url, credentials.email)).toEqual([])
  const sent = await client.send('POST', '/api/v1/auth/email/send-code')
  expect(sent.status).toBe(200)
  const letter = await waitForEmail(system.mail_url, credentials.email)
  const code = /^(\d{6}) is your confirmation code$/.exec(letter.subject)?.[1] ?? ''
  expect(letter.text).toContain(code)
  expect(letter.html).toContain(code)
  const answer = await client.send('POST', '/api/v1/auth/email/verify', { code })
  expect(Verified.parse(await answer.json())).toEqual({ email_verified: true, granted_credits: 50 })
  expect(await client.balance()).toBe(70)
})

test.each([
  ['uk', 'ваш код підтвердження', 'Вітаємо!'],
  ['ru', 'ваш код подтверждения', 'Здравствуйте!'],
])('a person who reads %s is written to in it', async (language, subject, greeting) => {
  const client = new Client(system.api_url)
  const email = `${crypto.randomUUID()}@localhost.test`
  const body = { email, password: 'correct horse battery', full_name: 'Оксана' }
  const registered = await client.send('POST', '/api/v1/auth/register', body, { 'accept-language': language })
  const { access_token } = z.looseObject({ access_token: z.string() }).parse(await registered.json())
  client.token = access_token
  await client.send('POST', '/api/v1/auth/email/send-code')
  const letter = await waitForEmail(system.mail_url, email)
  expect(letter.subject).toContain(subject)
  expect(letter.text).toContain(greeting)
  expect(letter.html).toContain(greeting)
  // Nobody has confirmed this address yet: what a stranger typed is not mailed to it.
  expect(letter.text).not.toContain('Оксана')
})
