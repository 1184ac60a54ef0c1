import { html } from 'hono/html'
import { type CheckoutAct, possibleActs } from './acts.ts'
import { coinsOf } from './nowpayments-entities.ts'
import { taxOf } from './paddle-entities.ts'
import { formatMoney, layOut } from './page.ts'
import type { Payment } from './state.ts'

const LABELS: Record<CheckoutAct, string> = {
  pay: 'Pay',
  pay_then_fail: 'Pay, then let renewals fail',
  decline: 'Decline the card',
  see: 'Send the coins without confirming them',
  underpay: 'Underpay',
  overpay: 'Overpay',
  expire: 'Let the checkout expire',
  fail: 'Let the payment fail',
  charge_back: 'Charge back',
  reverse_charge_back: 'Reverse the chargeback',
}

const STATUS: Record<Payment['status'], string> = {
  open: '',
  confirming: 'The coins have arrived and are being confirmed.',
  partially_paid: 'The amount received is less than the price.',
  paid: 'This payment is complete.',
  past_due: 'This charge failed.',
  expired: 'This checkout has expired.',
  failed: 'This payment failed.',
}

/** Renders the hosted checkout with a button for each possible action. It works without JavaScript. */
export function showCheckout(payment: Payment, problem: string | null) {
  const { description, reference, status, order_id, return_url, mandate, charged_back } = payment
  const acts = possibleActs(payment)
  return layOut(
    'Checkout',
    html`<section>
      <h1>${description}</h1>
      <p class="soft">Order ${order_id}</p>
      ${showPrice(payment)}
      ${payment.was_declined && status === 'open' ? html`<p class="bad" role="alert">The card was declined. You can try again.</p>` : ''}
      ${problem === null ? '' : html`<p class="bad" role="alert">${problem}</p>`}
      ${STATUS[status] === '' ? '' : html`<p role="status"><strong>${STATUS[status]}</strong></p>`}
      ${charged_back ? html`<p role="status"><strong>This payment was charged back.</strong></p>` : ''}
      ${acts.length === 0 ? '' : showForm(payment, acts)}
    </section>
    <p>
      ${return_url === null ? '' : html`<a href="${return_url}">Back to the shop</a>`}
      ${mandate === null ? '' : html` · <a href="/mandates/${mandate}">Future charges</a>`}
      ${payment.kind === 'card' && status === 'paid' ? html` · <a href="/refunds#${reference}">Refunds</a>` : ''}
    </p>`,
  )
}

function showPrice(payment: Payment) {
  const { amount_cents, currency, renews_every_days } = payment
  if (payment.kind === 'crypto') {
    const { asked, received } = coinsOf(payment)
    return html`<dl>
      <dt class="total">Total</dt><dd class="total">${formatMoney(amount_cents, currency)}</dd>
      <dt>To send</dt><dd>${asked} TRX</dd>
      ${received === 0 ? '' : html`<dt>Received</dt><dd>${received} TRX</dd>`}
    </dl>`
  }
  const tax = taxOf(amount_cents)
  return html`<dl>
      <dt>Price</dt><dd>${formatMoney(amount_cents, currency)}</dd>
      <dt>Tax (20 %, fictional)</dt><dd>${formatMoney(tax, currency)}</dd>
      <dt class="total">Total</dt><dd class="total">${formatMoney(amount_cents + tax, currency)}</dd>
    </dl>
    ${renews_every_days === null ? '' : html`<p>The same amount is charged every ${renews_every_days} days until you cancel.</p>`}`
}

function showForm(payment: Payment, acts: CheckoutAct[]) {
  const [first, ...others] = acts
  return html`<form class="tall" method="post" action="/checkout/${payment.reference}">
      <button class="main" name="action" value="${first}">${LABELS[first ?? 'pay']}</button>
      ${others.map((act) => html`<button name="action" value="${act}">${LABELS[act]}</button>`)}
      <details>
        <summary>For tests: webhook events</summary>
        <label for="callbacks">When the events of this action are sent</label>
        <select id="callbacks" name="callbacks">
          <option value="once">once, immediately</option>
          <option value="twice">twice</option>
          <option value="late">late</option>
          <option value="never">never</option>
        </select>
        ${
          acts.includes('underpay')
            ? html`<label for="received_pct">“Underpay” sends this percentage of the price, “Overpay” this percentage more</label>
              <input id="received_pct" name="received_pct" type="number" min="1" max="99" value="40">`
            : ''
        }
      </details>
    </form>`
}
