/** @module-tag extended */

import { env as platform } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeBotContext } from '../../test/edge/worker/bots.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { oddVariants } from '../../test/edge/worker/odd-values.ts'
import { actAtCheckout, order } from '../../test/edge/worker/payments.ts'
import { ledgerOf, register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'
import { listPackage } from '../../test/edge/worker/shop.ts'
import { FINISHED } from './nowpayments/examples.ts'
import { sortKeys } from './nowpayments/signature.ts'
import { ADJUSTED, CANCELED, COMPLETED } from './paddle/examples.ts'
import { signHex } from './sign-example.ts'

const testContext = makeTestContext()
const SECRET = String((platform as unknown as Record<string, unknown>).PAYMENT_SANDBOX_SECRET)
const AT_ONCE = 20

type Send = (body: string) => Promise<{ status: number; text: string }>

/**
 * Sends every nth variant of an event and returns those that cause a server error. Each part of an event has 17
 * variants, so another selection of them is sent for each part, and all of them for some.
 */
async function findFaults(event: unknown, send: Send, every = 1): Promise<string[]> {
  const variants = [...oddVariants(event)].filter((_variant, index) => index % every === 0)
  const bodies = variants.map((variant) => JSON.stringify(variant))
  const faults: string[] = []
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const sent = bodies.slice(from, from + AT_ONCE)
    const answers = await Promise.all(sent.map(send))
    answers.forEach(({ status, text }, index) => {
      if (status >= 500) faults.push(`${status} ${text}: ${sent[index]?.slice(0, 500)}`)
    })
  }
  return faults
}

async function sendCard(raw: string) {
  const ts = String(Math.floor(Date.now() / 1000))
  const headers = { 'paddle-signature': `ts=${ts};h1=${await signHex('SHA-256', SECRET, `${ts}:${raw}`)}` }
  return testContext.call('POST', '/api/v1/billing/callbacks/sandbox_card', { raw, headers })
}

async function sendCrypto(raw: string) {
  const text = JSON.stringify(sortKeys(JSON.parse(raw), 'kept'))
  const headers = { 'x-nowpayments-sig': await signHex('SHA-512', SECRET, text) }
  return testContext.call('POST', '/api/v1/billing/callbacks/sandbox_crypto', { raw, headers })
}

describe('a signed event with odd values never causes a server error', () => {
  let pack: { id: number }
  beforeAll(async () => {
    pack = await listPackage(testContext, { price_cents: 1000 })
  })

  test.each([
    ['a completed transaction', COMPLETED],
    ['a canceled subscription', CANCELED],
    ['an adjustment', ADJUSTED],
  ])('of cards: %s', async (_what, event) => {
    expect(await findFaults(event, sendCard, 3)).toEqual([])
    expect((await sendCard('{')).status).toBe(422)
  })

  test('of crypto: a payment', async () => {
    expect(await findFaults(FINISHED, sendCrypto)).toEqual([])
  })

  test.each(['sandbox_card', 'sandbox_crypto'])('of %s: the payment of an order', async (provider) => {
    const person = await register(testContext)
    const id = await order(testContext, person, { package_id: pack.id, provider })
    const send = provider === 'sandbox_card' ? sendCard : sendCrypto
    const paid = (await actAtCheckout(id, 'pay')).at(-1)
    expect(await findFaults(JSON.parse(paid?.body ?? ''), send, 5)).toEqual([])
    expect((await ledgerOf(testContext, person)).check.ok).toBe(true)
  })

  test.each<[string, (id: string) => string]>([
    ['a start', started],
    ['progress', (id) => progressed(id, 40)],
    ['a result', (id) => finished(id, doneOutcome(id, 61))],
    ['a failure', (id) => finished(id, FAILED)],
  ])('of the fleet: %s', async (_what, write) => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    expect(await findFaults(JSON.parse(write(id)), (raw) => report(testContext, raw))).toEqual([])
    expect((await ledgerOf(testContext, person)).check.ok).toBe(true)
  })

  test('of the messenger: a message', async () => {
    const bots = await makeBotContext()
    const headers = { 'x-messenger-bot-api-secret-token': bots.bot.secret }
    const path = `/api/v1/tg/webhook/${bots.bot.id}`
    const send = (raw: string) => bots.call('POST', path, { raw, headers })
    expect(await findFaults(bots.updateOf('/start abc'), send)).toEqual([])
  })
})
