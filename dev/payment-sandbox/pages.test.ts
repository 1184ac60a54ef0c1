import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrder, control, startRails } from './testing/rails.ts'

let rails: Awaited<ReturnType<typeof startRails>>
beforeAll(async () => {
  rails = await startRails()
})
afterAll(() => rails.stop())

const read = async (path: string) => (await fetch(new URL(path, rails.url))).text()

/** A form sent as a browser without scripts does; where it leads is not followed. */
async function send(path: string, fields: Record<string, string>) {
  const options = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const
  const response = await fetch(new URL(path, rails.url), options)
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

/** The values of the page's buttons. */
const buttons = (page: string) =>
  [...page.matchAll(/<button[^>]* value="([^"]+)"/g)].map(([, value]) => value)

test('a person pays by card and is sent back', async () => {
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
  expect(paid).toContain('This is paid.')
  expect(buttons(paid)).toEqual(['charge_back'])
  expect(await send(redirect_url, { action: 'pay' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('This payment is paid'),
  })
})

test('a mandate says what it charges and when, and does what its buttons say', async () => {
  const order = anOrder({ renews_every_days: 30 })
  const { redirect_url } = await rails.card.openCheckout(order)
  expect(await read(redirect_url)).toContain('charged again every 30 days')
  await send(redirect_url, { action: 'pay_then_fail' })
  const path = /\/mandates\/sub_\w+/.exec(await read(redirect_url))?.[0] ?? ''
  const page = await read(path)
  expect(page).toContain('€19.90 before tax, every 30 days')
  expect(page).toContain('its charges fail')
  expect(buttons(page)).toEqual(['charge', 'fail_charge', 'pause', 'cancel'])
  await send(path, { action: 'fail_charge' })
  expect(await read(path)).toContain('past due')
  await send(path, { action: 'pause' })
  expect(buttons(await read(path))).toEqual(['resume', 'cancel'])
  expect((await send(path, { action: 'charge' })).status).toBe(409)
})

test('a crypto checkout says what to send, and takes too little of it', async () => {
  const order = anOrder()
  const { redirect_url } = await rails.crypto.openCheckout(order)
  const page = await read(redirect_url)
  expect(page).toContain('2051.093 TRX')
  expect(buttons(page)).toEqual(['pay', 'see', 'underpay', 'expire', 'fail'])
  expect((await send(redirect_url, { action: 'underpay', received_pct: '250' })).status).toBe(400)
  expect((await send(redirect_url, { action: 'underpay', received_pct: '50' })).status).toBe(303)
  expect(await read(redirect_url)).toContain('Less has come than was asked for.')
})

test('refunds are decided about by hand where that is wanted', async () => {
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

test('what is not there is said so', async () => {
  for (const path of ['/checkout/txn_none', '/mandates/sub_none']) {
    expect((await fetch(rails.url + path)).status).toBe(404)
  }
})
