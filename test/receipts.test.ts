import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { expectAccessible } from './support/accessibility.ts'
import { call, openOrder, showOrder, useCustomers, waitForOrderStatus } from './support/checkout.ts'
import { useChromium } from './support/chromium.ts'
import { openSandbox } from './support/payment-sandbox.ts'
import { openWebPage } from './support/web-page.ts'

/** Receipts and credit notes as their readers get them: as pages, and as PDFs by the bundled Worker. */
const system = inject('system')
const openCustomer = useCustomers(system)
const sandbox = openSandbox(system)
const browser = useChromium()

const Refunds = z.array(z.looseObject({ credit_note_url: z.string().nullable() }))

async function expectDocument(url: string | null | undefined, title: RegExp, name: string): Promise<void> {
  const page = await openWebPage(browser(), url ?? '')
  await page.getByRole('heading', { name: title }).waitFor()
  await expectAccessible(page, name)
  const pdf = await fetch(`${url}?format=pdf`)
  expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
}

test.each([
  ['uk', /^Квитанція R-\d{6}$/, /^Кредит-нота C-\d{6}$/],
  ['en', /^Receipt R-\d{6}$/, /^Credit note C-\d{6}$/],
])(
  'a receipt and its credit note in %s are accessible pages, and PDFs',
  async (consent_locale, receipt, note) => {
    const { client } = await openCustomer()
    const { order_id } = await openOrder(client, { package_id: 1, consent_locale })
    await sandbox.act(order_id, 'pay')
    await waitForOrderStatus(client, order_id, 'paid')
    await expectDocument((await showOrder(client, order_id))?.receipt_url, receipt, 'receipt')
    await client.send('POST', `/api/v1/billing/payments/${order_id}/refund`, {})
    await waitForOrderStatus(client, order_id, 'refunded')
    const [refund] = await call(client, 'GET', '/api/v1/billing/refunds', Refunds)
    await expectDocument(refund?.credit_note_url, note, 'credit-note')
  },
)
