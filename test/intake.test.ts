import { createClient } from '@libsql/client'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { FEEDBACK_EMAIL } from '../dev/system/wrangler-config.ts'
import { openAccount } from './support/accounts.ts'
import { listEmails } from './support/emails.ts'

const system = inject('system')
/** A queue collects messages for a few seconds before it delivers them. */
const QUEUE = { interval: 250 }

const Form = z.object({ form_token: z.string(), not_before_seconds: z.number() })
const Logs = z.array(z.looseObject({ path: z.string(), status: z.int(), request_id: z.string() }))

test('feedback from a visitor is sent by email to the operator', async () => {
  const url = `${system.api_url}/api/v1/public/feedback`
  const form = Form.parse(await (await fetch(`${url}/token`)).json())
  const message = `The button does nothing. ${crypto.randomUUID()}`
  // Submissions before `not_before_seconds` are rejected as automated.
  await new Promise((resolve) => setTimeout(resolve, form.not_before_seconds * 1000))
  const send = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message, page: '/studio', form_token: form.form_token }),
    })
  expect((await send({})).status).toBe(401)
  const sent = await send({ origin: new URL(system.api_url).origin, 'sec-fetch-site': 'same-origin' })
  expect([sent.status, await sent.json()]).toEqual([202, { ok: true }])
  const find = async () =>
    (await listEmails(system.mail_url, FEEDBACK_EMAIL)).find(({ text }) => text.includes(message))
  await expect.poll(find, { interval: 100 }).toMatchObject({
    text: expect.stringContaining('Page: /studio'),
  })
})

test('a request appears in the log of its account through the queue', async () => {
  const { client } = await openAccount(system.api_url)
  const answer = await client.send('GET', '/api/v1/jobs?limit=1')
  const request_id = answer.headers.get('x-request-id')
  const find = async () => {
    const logs = Logs.parse(await (await client.send('GET', '/api/v1/stats/logs')).json())
    return logs.find((log) => log.request_id === request_id)
  }
  await expect.poll(find, QUEUE).toMatchObject({ path: '/api/v1/jobs', status: 200 })
})

test('web events of a page are stored through the queue', async () => {
  const visitor_id = crypto.randomUUID()
  const answer = await fetch(`${system.api_url}/api/v1/analytics/collect`, {
    method: 'POST',
    // Matches what navigator.sendBeacon sends.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: JSON.stringify({ visitor_id, events: [{ name: 'page_view', path: '/studio?x=1' }] }),
  })
  expect(answer.status).toBe(202)
  const client = createClient({ url: system.database_url })
  const find = async () => {
    const sql = 'SELECT name, path FROM web_events WHERE visitor_id = ?'
    return (await client.execute({ sql, args: [visitor_id] })).rows.map(({ name, path }) => ({ name, path }))
  }
  await expect.poll(find, QUEUE).toEqual([{ name: 'page_view', path: '/studio' }])
  client.close()
})
