import { expect, inject, test } from 'vitest'
import { Client } from '../../dev/client.ts'
import { waitUntil } from '../../dev/system/wait.ts'

const system = inject('system')

async function readStatus(path: string): Promise<number> {
  const response = await fetch(`${system.api_url}${path}`)
  await response.body?.cancel()
  return response.status
}

test('the whole system is ready', async () => {
  await waitUntil('the system', async () => (await readStatus('/api/ready')) === 200, 10_000)
})

test('the local administrator can sign in', async () => {
  const client = new Client(system.api_url)
  await client.login(system.admin)
  expect(await client.balance()).toBeGreaterThanOrEqual(0)
})

test('the scheduled handler can be run on demand', async () => {
  expect(await readStatus('/cdn-cgi/local/scheduled?cron=*+*+*+*+*')).toBe(200)
})

test('the mail catcher lists its emails', async () => {
  const response = await fetch(`${system.mail_url}/api/email`)
  expect(response.status).toBe(200)
})
