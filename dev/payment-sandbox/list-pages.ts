import { html } from 'hono/html'
import { type MandateAct, possibleMandateActs } from './acts.ts'
import { formatMoney, formatTime, layOut } from './page.ts'
import type { Mandate, Payment, State } from './state.ts'

const ROWS_MAX = 200

const ACT_LABELS: Record<MandateAct, string> = {
  charge: 'Charge now',
  fail_charge: 'Fail a charge now',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
}

/** Renders a mandate with its price, its next charge, and its past charges. */
export function showMandate(mandate: Mandate, payments: Payment[], problem: string | null) {
  const charges = payments.filter((payment) => payment.mandate === mandate.id)
  return layOut(
    'Mandate',
    html`<section>
      <h1>${mandate.description}</h1>
      <dl>
        <dt>Charges</dt><dd>${formatMoney(mandate.amount_cents, mandate.currency)} before tax, every ${mandate.every_days} days</dd>
        <dt>Next charge</dt><dd>${formatTime(mandate.next_charge_at)}</dd>
        <dt>State</dt><dd>${mandate.status.replace('_', ' ')}</dd>
        ${mandate.charges_fail ? html`<dt>Test setting</dt><dd>charges fail</dd>` : ''}
      </dl>
      ${problem === null ? '' : html`<p class="bad" role="alert">${problem}</p>`}
      <form method="post" action="/mandates/${mandate.id}">
        ${possibleMandateActs(mandate).map((act) => html`<button name="action" value="${act}">${ACT_LABELS[act]}</button>`)}
      </form>
    </section>
    <section>
      <h2>Charges so far</h2>
      <table>
        <thead><tr><th scope="col">When</th><th scope="col">State</th><th scope="col" class="number">Amount</th></tr></thead>
        <tbody>
          ${charges.map(
            (charge) => html`<tr>
              <td>${formatTime(charge.updated_at)}</td>
              <td><a href="/checkout/${charge.reference}">${charge.status.replace('_', ' ')}</a></td>
              <td class="number">${formatMoney(charge.amount_cents, charge.currency)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <p><a href="/">Overview</a></p>`,
  )
}

export function showRefunds({ refunds, payments, refunds_by_hand }: State, problem: string | null) {
  const rows = refunds.slice(-ROWS_MAX).reverse()
  const currencyOf = (reference: string) =>
    payments.find((payment) => payment.reference === reference)?.currency
  return layOut(
    'Refunds',
    html`<section>
      <h1>Refunds</h1>
      <p>${refunds_by_hand ? 'Approve or reject each refund here.' : 'Refunds are approved automatically within a second.'}</p>
      <form method="post" action="/refunds">
        <button name="refunds_by_hand" value="${refunds_by_hand ? 'no' : 'yes'}">
          ${refunds_by_hand ? 'Approve automatically' : 'Approve manually'}
        </button>
      </form>
    </section>
    ${problem === null ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    <section>
      ${
        rows.length === 0
          ? html`<p>No refunds yet.</p>`
          : html`<table>
        <thead><tr><th scope="col">When</th><th scope="col">Reason</th><th scope="col">State</th><th scope="col" class="number">Amount</th><th scope="col">Decide</th></tr></thead>
        <tbody>
          ${rows.map(
            (refund) => html`<tr id="${refund.transaction}">
              <td>${formatTime(refund.created_at)}</td>
              <td>${refund.reason}</td>
              <td>${refund.status.replace('_', ' ')}</td>
              <td class="number">${formatMoney(refund.amount_cents, currencyOf(refund.transaction) ?? 'EUR')}</td>
              <td>${
                refund.status === 'pending_approval'
                  ? html`<form method="post" action="/refunds/${refund.id}">
                      <button name="status" value="approved">Approve</button>
                      <button name="status" value="rejected">Reject</button>
                    </form>`
                  : ''
              }</td>
            </tr>`,
          )}
        </tbody>
      </table>`
      }
    </section>
    <p><a href="/">Overview</a></p>`,
    { isWide: true },
  )
}

export function showOverview({ payments, mandates }: State) {
  const rows = payments.slice(-ROWS_MAX).reverse()
  return layOut(
    'Overview',
    html`<section>
      <h1>Payment sandbox</h1>
      <p>It simulates Paddle (cards) and NOWPayments (crypto) for a service that runs on one machine.
        Its checkouts are listed below, newest first.</p>
      <nav aria-label="Sandbox"><a href="/refunds">Refunds</a></nav>
    </section>
    <section>
      <h2>Checkouts and charges</h2>
      ${
        rows.length === 0
          ? html`<p>No checkouts yet. Buy something, and it appears here.</p>`
          : html`<table>
        <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Order</th><th scope="col">By</th><th scope="col">State</th><th scope="col" class="number">Amount</th></tr></thead>
        <tbody>
          ${rows.map(
            (payment) => html`<tr>
              <td>${formatTime(payment.created_at)}</td>
              <td><a href="/checkout/${payment.reference}">${payment.description}</a></td>
              <td>${payment.order_id}</td>
              <td>${payment.origin === 'renewal' ? 'mandate' : payment.kind}</td>
              <td>${payment.status.replace('_', ' ')}</td>
              <td class="number">${formatMoney(payment.amount_cents, payment.currency)}</td>
            </tr>`,
          )}
        </tbody>
      </table>`
      }
    </section>
    <section>
      <h2>Mandates</h2>
      ${
        mandates.length === 0
          ? html`<p>No mandates yet.</p>`
          : html`<ul>${mandates
              .slice(-ROWS_MAX)
              .reverse()
              .map(
                (mandate) => html`<li><a href="/mandates/${mandate.id}">${mandate.description}</a>,
                  ${mandate.status.replace('_', ' ')}, next charge ${formatTime(mandate.next_charge_at)}</li>`,
              )}</ul>`
      }
    </section>`,
    { isWide: true },
  )
}
