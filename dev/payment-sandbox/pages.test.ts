import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrder, control, startRails } from './testing/rails.ts'

let rails: Awaited<ReturnType<typeof startRails>>
beforeAll(async () => {
  rails = await startRails()
})
afterAll(() => rails.stop())

const read = async (path: string) => (await fetch(new URL(path, rails.url))).text()

/** Submits a form like a browser without JavaScript. Does not follow the redirect. */
async function send(path: string, fields: Record<string, string>) {
  const options = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const
  const response = await fetch(new URL(path, rails.url), options)
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

const buttons = (page: string) =>
  [...page.matchAll(/<button[^>]* value="([^"]+)"/g)].map(([, value]) => value)

test('redirects a payer to the shop after a card payment', async () => {
  const order = anOrder({ description: 'Tools & <credits>' })
  const { redirect_url } = await rails.card.openCheckout(order)
  const page = await read(redirect_url)
  expect(page).toContain('No money moves')
  expect(page).toContain('Tools &amp; &lt;credits&gt;')
  expect(page).toContain('€23.88')
  expect(buttons(page)).toEqual(['pay', 'decline', 'expire'])
  const declined = await send(redirect_url, { action: 'decline' })
  expect(declined).toMatchObject({ status: 303, location: new URL(redirect_url).pathname })
  expect(await read(redirect_url)).toContain('The card was declined. You can try again.')
  expect(await send(redirect_url, { action: 'pay', callbacks: 'once' })).toMatchObject({
    status: 303,
    location: order.return_url,
  })
  const paid = await read(redirect_url)
  expect(paid).toContain('This payment is complete.')
  expect(buttons(paid)).toEqual(['charge_back'])
  expect(await send(redirect_url, { action: 'pay' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('This payment is paid'),
  })
})

test('shows the price and the schedule of a mandate and runs its actions', async () => {
  const order = anOrder({ renews_every_days: 30 })
  const { redirect_url } = await rails.card.openCheckout(order)
  expect(await read(redirect_url)).toContain('is charged every 30 days')
  await send(redirect_url, { action: 'pay_then_fail' })
  const path = /\/mandates\/sub_\w+/.exec(await read(redirect_url))?.[0] ?? ''
  const page = await read(path)
  expect(page).toContain('€19.90 before tax, every 30 days')
  expect(page).toContain('charges fail')
  expect(buttons(page)).toEqual(['charge', 'fail_charge', 'pause', 'cancel'])
  await send(path, { action: 'fail_charge' })
  expect(await read(path)).toContain('past due')
  await send(path, { action: 'pause' })
  expect(buttons(await read(path))).toEqual(['resume', 'cancel'])
  expect((await send(path, { action: 'charge' })).status).toBe(409)
})

test('shows the amount of a crypto checkout and accepts an underpayment', async () => {
  const order = anOrder()
  const { redirect_url } = await rails.crypto.openCheckout(order)
  const page = await read(redirect_url)
  expect(page).toContain('2051.093 TRX')
  expect(buttons(page)).toEqual(['pay', 'see', 'underpay', 'overpay', 'expire', 'fail'])
  expect((await send(redirect_url, { action: 'underpay', received_pct: '250' })).status).toBe(400)
  expect((await send(redirect_url, { action: 'underpay', received_pct: '50' })).status).toBe(303)
  expect(await read(redirect_url)).toContain('The amount received is less than the price.')
})

test('lets refunds be rejected by hand when automatic approval is off', async () => {
  const order = anOrder()
  const { reference } = await rails.card.openCheckout(order)
  await control(rails.url, `/orders/${order.order_id}`, { action: 'pay' })
  await send('/refunds', { refunds_by_hand: 'yes' })
  const request = {
    refund_id: 'rfd_page',
    order_id: order.order_id,
    reference,
    currency: 'EUR',
    reason: 'policy',
  }
  const { reference: name } = await rails.card.refund({ ...request, amount_cents: 990, whole: false })
  expect(await read('/refunds')).toContain('policy [refund rfd_page]')
  expect(await send(`/refunds/${name}`, { status: 'rejected' })).toMatchObject({ status: 303 })
  expect(await rails.card.findRefund(name)).toMatchObject({ state: 'failed' })
  expect(await read('/')).toContain(order.order_id)
})

test('answers 404 for an unknown checkout or mandate', async () => {
  for (const path of ['/checkout/txn_none', '/mandates/sub_none']) {
    expect((await fetch(rails.url + path)).status).toBe(404)
  }
})
