import { expect } from 'vitest'
import { type BotContext, makeRoundVideo } from '../../../test/edge/worker/bots.ts'
import { type Person, register } from '../../../test/edge/worker/people.ts'
import { query } from '../../../test/edge/worker/records.ts'

export const DELIVER = '/api/v1/tg/deliver'

export const deliver = ({ call }: BotContext, { token }: Person, body: object, headers = {}) =>
  call('POST', DELIVER, { token, body, headers })

/** Creates a delivery link and returns its start token. */
export async function createStartToken(
  testContext: BotContext,
  person: Person,
  job_id: string,
): Promise<string> {
  const { status, json, text } = await deliver(testContext, person, { job_id })
  expect(status, text).toBe(200)
  return new URL(json.link).searchParams.get('start') ?? ''
}

/** Creates an account with a finished round video, and the command that opens its delivery link. */
export async function prepareDelivery(testContext: BotContext) {
  const person = await register(testContext)
  const job_id = await makeRoundVideo(testContext, person)
  return { person, job_id, start: `/start ${await createStartToken(testContext, person, job_id)}` }
}

export const videosOf = async (testContext: BotContext) =>
  (await testContext.calls()).filter(({ method }) => method === 'sendVideoNote')

export const repliesOf = async (testContext: BotContext) =>
  (await testContext.calls()).flatMap(({ method, fields }) => (method === 'sendMessage' ? [fields.text] : []))

export const outboxOf = (testContext: BotContext) =>
  query(testContext, 'SELECT id FROM outbox WHERE id LIKE ?', `messenger:${testContext.bot.id}:%`)
