import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import {
  actAtCheckout,
  order,
  type SignedCallback,
  sendCallback,
  sendCallbacks,
  showOrder,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { listPackage, listPlan } from '../../test/edge/worker/shop.ts'

const testContext = makeTestContext()
/** Leaves emails in the outbox. */
const unmailed = makeTestContext({ SMTP_PORT: '9' })

let plan: { id: number }
let pack: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
  pack = await listPackage(testContext, { price_cents: 1000 })
})

async function purchasesOf(person: Person): Promise<number[]> {
  const { entries, check } = await ledgerOf(testContext, person)
  expect(check.ok).toBe(true)
  return entries.flatMap(({ order_id, amount }: { order_id: string | null; amount: number }) =>
    order_id === null ? [] : [amount],
  )
}

async function emailsOf(id: string) {
  const { rows } = await testContext.deps.db.$client.execute({
    sql: 'SELECT payload FROM outbox WHERE id = ?',
    args: [`mail:order:${id}`],
  })
  return rows.map(({ payload }) => JSON.parse(String(payload)))
}

/** Creates an account and an order, by default for the pack at 1,000 cents. */
async function openOrder(provider = 'sandbox_card', item: object = { package_id: pack.id }) {
  const person = await register(testContext)
  return { person, id: await order(testContext, person, { ...item, provider }) }
}

describe('a payment webhook', () => {
  test('of an unknown provider is a 404', async () => {
    const answer = await testContext.call('POST', '/api/v1/billing/callbacks/bank', { raw: '{}' })
    expect([answer.status, answer.json.code]).toEqual([404, 'payment_provider_not_found'])
  })

  test.each([
    ['without a signature', () => ({ headers: {} })],
    ['with another body', ({ body }: SignedCallback) => ({ body: body.replace('{', '{"more":1,') })],
    ['of the other rail', ({ kind }: SignedCallback) => ({ kind: kind === 'card' ? 'crypto' : 'card' })],
    [
      'with a truncated signature',
      ({ headers }: SignedCallback) => ({
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.slice(0, -1)]),
        ),
      }),
    ],
  ] as const)('%s is a 401 and changes nothing', async (_what, forge) => {
    for (const provider of ['sandbox_card', 'sandbox_crypto']) {
      const { person, id } = await openOrder(provider)
      for (const callback of await actAtCheckout(id, 'pay')) {
        const answer = await sendCallback(testContext, { ...callback, ...(forge(callback) as object) })
        expect([answer.status, answer.code]).toEqual([401, 'invalid_signature'])
      }
      expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'waiting' })
    }
  })

  test('over 256 KiB is a 413', async () => {
    const headers = { 'paddle-signature': `ts=${Math.floor(Date.now() / 1000)};h1=${'0'.repeat(64)}` }
    const answer = await testContext.call('POST', '/api/v1/billing/callbacks/sandbox_card', {
      headers,
      raw: JSON.stringify({ text: 'x'.repeat(256 * 1024) }),
    })
    expect(answer.status).toBe(413)
  })

  test('about an unknown order, or one of another rail, is accepted and changes nothing', async () => {
    const { id } = await openOrder()
    const callbacks = await actAtCheckout(id, 'pay')
    await testContext.deps.db.$client.execute({
      sql: "UPDATE orders SET provider = 'sandbox_crypto' WHERE id = ?",
      args: [id],
    })
    await sendCallbacks(testContext, callbacks)
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT status FROM orders WHERE id = ?',
      args: [id],
    })
    expect(rows).toMatchObject([{ status: 'waiting' }])
  })

  test.each([
    ["another payment than the order's own", "provider_reference = 'txn_other'", 'waiting'],
    ['the same amount in another currency', "currency = 'EUR'", 'confirming'],
  ])('about %s does not pay the order', async (_what, change, status) => {
    for (const provider of ['sandbox_card', 'sandbox_crypto']) {
      const { person, id } = await openOrder(provider)
      await testContext.deps.db.$client.execute({
        sql: `UPDATE orders SET ${change} WHERE id = ?`,
        args: [id],
      })
      const callbacks = [...(await actAtCheckout(id, provider === 'sandbox_crypto' ? 'see' : 'decline'))]
      await sendCallbacks(testContext, [...callbacks, ...(await actAtCheckout(id, 'pay'))])
      expect(await showOrder(testContext, person, id)).toMatchObject({ status, actually_paid_cents: 0 })
      expect(await purchasesOf(person)).toEqual([])
    }
  })

  test('about a card payment below the price delivers nothing and ends its mandate', async () => {
    const body = { plan_id: plan.id, auto_renew: true, accept_recurring: true }
    const { person, id } = await openOrder('sandbox_card', body)
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE orders SET amount_cents = amount_cents + 1 WHERE id = ?',
      args: [id],
    })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'partially_paid',
      auto_renew: false,
    })
    await testContext.settled()
    expect((await showSandboxOrder(id)).mandates).toMatchObject([{ status: 'canceled' }])
  })

  test('that cannot be stored is a server error, and is accepted when it is retried', async () => {
    const { person, id } = await openOrder()
    const [callback] = await actAtCheckout(id, 'pay')
    if (callback === undefined) throw new Error('no webhook was sent')
    const cut = makeTestContext({ DATABASE_URL: 'http://127.0.0.1:9' })
    expect((await sendCallback(cut, callback)).status).toBeGreaterThanOrEqual(500)
    await sendCallbacks(testContext, [callback])
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'confirming' })
  })
})

describe('webhook events of a paid order', () => {
  test('ten times each, concurrently, grant once and send one email', async () => {
    const { person, id } = await openOrder('sandbox_card', { plan_id: plan.id, package_id: pack.id })
    const callbacks = await actAtCheckout(id, 'pay')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callbacks)
        .flat()
        .map((callback) => sendCallback(unmailed, callback)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await purchasesOf(person)).toEqual([1000, 500])
    expect(await emailsOf(id)).toHaveLength(1)
    await unmailed.settled()
    await sendCallbacks(unmailed, callbacks)
    expect(await purchasesOf(person)).toEqual([1000, 500])
    expect(await emailsOf(id)).toHaveLength(1)
  })

  test('in any order, repeated and concurrent, end in the same state and grant once', async () => {
    const story = fc.record({
      first: fc.constantFrom('see', 'underpay', 'expire', 'fail'),
      order: fc.infiniteStream(fc.nat()),
      atOnce: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(story, async ({ first, order, atOnce }) => {
        const { person, id } = await openOrder('sandbox_crypto')
        const callbacks = [...(await actAtCheckout(id, first)), ...(await actAtCheckout(id, 'pay'))]
        const mixed = [...callbacks, ...callbacks]
          .map((callback) => ({ callback, key: order.next().value }))
          .sort((one, other) => one.key - other.key)
          .map(({ callback }) => callback)
        while (mixed.length > 0) {
          await Promise.all(mixed.splice(0, atOnce).map((callback) => sendCallbacks(testContext, [callback])))
        }
        const shown = await showOrder(testContext, person, id)
        expect(shown).toMatchObject({ status: 'paid', actually_paid_cents: 1000 })
        expect(await purchasesOf(person)).toEqual([500])
      }),
      { numRuns: 12 },
    )
  })

  test.each(['last first', 'first first'])('in %s order, one at a time', async (direction) => {
    const { person, id } = await openOrder()
    const callbacks = await actAtCheckout(id, 'pay')
    await sendCallbacks(testContext, direction === 'last first' ? [...callbacks].reverse() : callbacks)
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'paid',
      actually_paid_cents: 1000,
    })
    expect(await purchasesOf(person)).toEqual([500])
  })
})

describe('the state of an order', () => {
  test('confirms when a payment is seen, and then becomes paid', async () => {
    const { person, id } = await openOrder('sandbox_crypto')
    await sendCallbacks(testContext, await actAtCheckout(id, 'see'))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'confirming',
      credited_at: null,
    })
    expect(await purchasesOf(person)).toEqual([])
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'paid' })
  })

  test('stays waiting after a declined card, and the same order can be paid', async () => {
    const { person, id } = await openOrder()
    await sendCallbacks(testContext, await actAtCheckout(id, 'decline'))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'waiting',
      actually_paid_cents: 0,
    })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await purchasesOf(person)).toEqual([500])
  })

  test.each(['expire', 'fail'])(
    'grants nothing after an unsuccessful payment (%s); a late payment counts',
    async (act) => {
      const { person, id } = await openOrder('sandbox_crypto')
      await sendCallbacks(testContext, await actAtCheckout(id, act))
      expect(await showOrder(testContext, person, id)).toMatchObject({
        status: act === 'expire' ? 'expired' : 'failed',
        actually_paid_cents: 0,
      })
      expect(await purchasesOf(person)).toEqual([])
      await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
      expect(await showOrder(testContext, person, id)).toMatchObject({
        status: 'paid',
        actually_paid_cents: 1000,
      })
      expect(await purchasesOf(person)).toEqual([500])
    },
  )

  test('is not paid by a crypto underpayment until the remainder arrives', async () => {
    const { person, id } = await openOrder('sandbox_crypto')
    await sendCallbacks(testContext, await actAtCheckout(id, 'underpay', 40))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'partially_paid',
      actually_paid_cents: 400,
      credited_at: null,
    })
    expect(await purchasesOf(person)).toEqual([])
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({
      status: 'paid',
      actually_paid_cents: 1000,
    })
    expect(await purchasesOf(person)).toEqual([500])
  })

  test('has one audit row per transition', async () => {
    const { id } = await openOrder('sandbox_crypto')
    const callbacks = [...(await actAtCheckout(id, 'see')), ...(await actAtCheckout(id, 'pay'))]
    await sendCallbacks(testContext, [...callbacks, ...callbacks])
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT number, status FROM order_moves WHERE order_id = ? ORDER BY number',
      args: [id],
    })
    expect(rows.map(({ number, status }) => [number, status])).toEqual([
      [1, 'waiting'],
      [2, 'confirming'],
      [3, 'paid'],
    ])
  })
})

describe('the confirmation of an order', () => {
  async function emailOf(body: object) {
    const person = await register(testContext)
    const id = await order(unmailed, person, body)
    await sendCallbacks(unmailed, await actAtCheckout(id, 'pay'))
    const [email] = await emailsOf(id)
    return { id, person, email }
  }

  test('is sent to the account in the consent locale', async () => {
    const { id, person, email } = await emailOf({ package_id: pack.id, consent_locale: 'uk' })
    expect(email).toMatchObject({
      to: person.email,
      locale: 'uk',
      content: {
        kind: 'order',
        order_id: id,
        items: [{ name: 'Tried', credits: 500, months: null, starts_at: null }],
        amount_cents: 1000,
        currency: 'USD',
        period_end: null,
        renewal: null,
      },
    })
  })

  test('is in English when the locale is unknown', async () => {
    expect((await emailOf({ package_id: pack.id, consent_locale: 'fr' })).email.locale).toBe('en')
  })

  test('of months behind another plan names their start, and the tax of a card only', async () => {
    const person = await register(testContext)
    const other = await listPlan(testContext)
    const first = await order(unmailed, person, { plan_id: plan.id, provider: 'sandbox_card' })
    const second = await order(unmailed, person, { plan_id: other.id, provider: 'sandbox_crypto' })
    await sendCallbacks(unmailed, await actAtCheckout(first, 'pay'))
    await sendCallbacks(unmailed, await actAtCheckout(second, 'pay'))
    const contents = [...(await emailsOf(first)), ...(await emailsOf(second))].map(({ content }) => content)
    expect(contents).toMatchObject([
      { provider_kind: 'card', items: [{ starts_at: null }] },
      { provider_kind: 'crypto', items: [{ starts_at: contents[0].period_end }] },
    ])
  })

  test('states when and how much a renewing term charges next', async () => {
    const body = { plan_id: plan.id, months: 3, auto_renew: true, accept_recurring: true }
    const { email } = await emailOf(body)
    const { period_end, renewal, items } = email.content
    expect(items).toEqual([{ name: 'Tried', credits: 3000, months: 3, starts_at: null }])
    expect(renewal).toEqual({ at: period_end, amount_cents: 4050, cancel_token: expect.any(String) })
  })
})
