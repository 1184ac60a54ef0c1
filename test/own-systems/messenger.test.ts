import { expect, test } from 'vitest'
import { z } from 'zod'
import type { BotCall } from '../edge/worker/bots.ts'
import { openAccount } from '../support/accounts.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { upload } from '../support/jobs.ts'
import { BOT, useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()

const Delivery = z.object({ link: z.url(), bot_username: z.string(), expires_at: z.string() })

let updates = 0
/** Sends the update that Telegram posts to the webhook when the bot receives a message. */
async function write(text: string, { chat_id, language }: { chat_id: number; language: string }) {
  updates += 1
  const from = { id: chat_id, is_bot: false, first_name: 'Ada', language_code: language }
  const message = { message_id: updates, date: 1, chat: { id: chat_id, type: 'private' }, from, text }
  const response = await fetch(`${system().api_url}/api/v1/tg/webhook/${BOT.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': BOT.secret },
    body: JSON.stringify({ update_id: updates, message }),
  })
  expect([response.status, await response.json()]).toEqual([200, { ok: true }])
}

/** Waits until the bot has made `count` calls in a chat, not counting chat actions. */
async function waitForCalls(chat_id: number, count: number): Promise<BotCall[]> {
  const read = async () => {
    const { calls } = (await (await fetch(`${system().bot_api_url}/control/${BOT.token}`)).json()) as {
      calls: BotCall[]
    }
    return calls.filter(
      ({ method, fields }) => method !== 'sendChatAction' && fields.chat_id === `${chat_id}`,
    )
  }
  await expect.poll(async () => (await read()).length, { interval: 50 }).toBe(count)
  return read()
}

test('a round video is sent once, to the first chat that opens its link', async () => {
  const clip = await makeClip(folder, { name: 'clip.mp4', seconds: 3 })
  const { client } = await openAccount(system().api_url)
  const file_url = await upload(client, clip)
  const job = await client.submit({
    service_slug: 'video',
    operation_key: 'circle',
    params: { file_url, diameter: 320 },
  })
  const early = await client.send('POST', '/api/v1/tg/deliver', { job_id: job.id })
  expect(early.status).toBe(409)
  await early.body?.cancel()
  expect((await client.waitForJob(job.id, 60_000)).status).toBe('done')
  const answer = await client.send('POST', '/api/v1/tg/deliver', { job_id: job.id })
  expect(answer.status).toBe(200)
  const { link, bot_username } = Delivery.parse(await answer.json())
  const { origin, pathname, searchParams } = new URL(link)
  expect([origin, pathname, bot_username]).toEqual(['https://t.me', `/${BOT.username}`, BOT.username])
  const start = `/start ${searchParams.get('start')}`
  await write(start, { chat_id: 1, language: 'uk' })
  const [sent] = await waitForCalls(1, 1)
  const { size_bytes } = (await client.job(job.id)).result ?? {}
  expect(sent).toEqual({
    method: 'sendVideoNote',
    fields: { chat_id: '1', length: '320', duration: '3' },
    file: { bytes: size_bytes, content_type: 'video/mp4' },
  })
  await write(start, { chat_id: 2, language: 'uk' })
  const [reply] = await waitForCalls(2, 1)
  expect(reply).toMatchObject({
    method: 'sendMessage',
    fields: { text: expect.stringMatching(/вже використано/) },
  })
  const usage = await client.send('GET', '/api/v1/me/usage?action=deliver')
  expect(await usage.json()).toMatchObject([{ action: 'deliver', job_id: job.id, credits: 0 }])
})
