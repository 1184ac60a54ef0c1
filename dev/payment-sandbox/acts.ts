import {
  recordAdjustment,
  recordCryptoPayment,
  recordSubscription,
  recordTransaction,
  type Sandbox,
} from './events.ts'
import { type CallbackMode, type Mandate, type Payment, paddleId, type Refund } from './state.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Actions that a payer can take at checkout, from the page or from a test. */
export const CHECKOUT_ACTS = [
  'pay',
  'pay_then_fail',
  'decline',
  'see',
  'underpay',
  'overpay',
  'expire',
  'fail',
  'charge_back',
  'reverse_charge_back',
] as const
export type CheckoutAct = (typeof CHECKOUT_ACTS)[number]

/** Lists the actions that a payment's current status allows. */
export function possibleActs({ kind, status, renews_every_days, charged_back }: Payment): CheckoutAct[] {
  if (kind === 'card') {
    if (status === 'paid') return [charged_back ? 'reverse_charge_back' : 'charge_back']
    if (status !== 'open') return []
    return renews_every_days === null
      ? ['pay', 'decline', 'expire']
      : ['pay', 'pay_then_fail', 'decline', 'expire']
  }
  if (status === 'open') return ['pay', 'see', 'underpay', 'overpay', 'expire', 'fail']
  // Coins can still arrive after an invoice has expired or failed.
  return status === 'paid' ? [] : ['pay']
}

/** @throws if the payment's status does not allow the action */
export function actOnCheckout(
  sandbox: Sandbox,
  payment: Payment,
  act: CheckoutAct,
  { mode = 'once', received_pct = 40 }: { mode?: CallbackMode; received_pct?: number } = {},
): void {
  if (!possibleActs(payment).includes(act))
    throw new Error(`This payment is ${payment.status}, so ${act} is not possible.`)
  payment.updated_at = sandbox.now()
  if (payment.kind === 'crypto') actOnCrypto(sandbox, payment, act, { mode, received_pct })
  else actOnCard(sandbox, payment, act, mode)
  sandbox.store.save()
}

function actOnCard(sandbox: Sandbox, payment: Payment, act: CheckoutAct, mode: CallbackMode): void {
  if (act === 'charge_back' || act === 'reverse_charge_back') {
    dispute(sandbox, payment, act, mode)
    return
  }
  if (act === 'decline') {
    payment.was_declined = true
    recordTransaction(sandbox, 'payment_failed', payment, mode)
    return
  }
  if (act === 'expire') {
    payment.status = 'expired'
    recordTransaction(sandbox, 'canceled', payment, mode)
    return
  }
  payment.status = 'confirming'
  recordTransaction(sandbox, 'paid', payment, mode)
  const mandate =
    payment.renews_every_days === null ? null : openMandate(sandbox, payment, payment.renews_every_days)
  if (mandate !== null) mandate.charges_fail = act === 'pay_then_fail'
  payment.status = 'paid'
  if (mandate !== null) recordSubscription(sandbox, 'created', mandate, mode)
  recordTransaction(sandbox, 'completed', payment, mode)
}

/** Records a chargeback of the whole payment or its reversal. Paddle automatically creates an adjustment for each. */
function dispute(
  sandbox: Sandbox,
  payment: Payment,
  act: 'charge_back' | 'reverse_charge_back',
  mode: CallbackMode,
): void {
  payment.charged_back = act === 'charge_back'
  const now = sandbox.now()
  const refund: Refund = {
    id: paddleId('adj'),
    action: act === 'charge_back' ? 'chargeback' : 'chargeback_reverse',
    transaction: payment.reference,
    type: 'full',
    amount_cents: payment.amount_cents,
    reason: 'Chargeback',
    status: 'approved',
    created_at: now,
    updated_at: now,
  }
  sandbox.store.state.refunds.push(refund)
  recordAdjustment(sandbox, 'created', refund, payment, mode)
}

function actOnCrypto(
  sandbox: Sandbox,
  payment: Payment,
  act: CheckoutAct,
  { mode, received_pct }: { mode: CallbackMode; received_pct: number },
): void {
  if (act === 'underpay') {
    payment.received_pct = Math.min(99, Math.max(1, received_pct))
    payment.status = 'partially_paid'
  } else if (act === 'expire') payment.status = 'expired'
  else if (act === 'fail') payment.status = 'failed'
  else {
    payment.received_pct = act === 'overpay' ? 100 + received_pct : 100
    if (payment.status !== 'confirming') {
      payment.status = 'confirming'
      recordCryptoPayment(sandbox, payment, mode)
    }
    if (act === 'see') return
    payment.status = 'paid'
  }
  recordCryptoPayment(sandbox, payment, mode)
}

function openMandate(sandbox: Sandbox, payment: Payment, every_days: number): Mandate {
  const now = sandbox.now()
  const mandate: Mandate = {
    id: paddleId('sub'),
    order_id: payment.order_id,
    status: 'active',
    description: payment.description,
    amount_cents: payment.amount_cents,
    currency: payment.currency,
    every_days,
    charges_fail: false,
    next_charge_at: now + every_days * DAY_MS,
    started_at: now,
    updated_at: now,
  }
  payment.mandate = mandate.id
  sandbox.store.state.mandates.push(mandate)
  return mandate
}

export const MANDATE_ACTS = ['charge', 'fail_charge', 'pause', 'resume', 'cancel'] as const
export type MandateAct = (typeof MANDATE_ACTS)[number]

export function possibleMandateActs({ status }: Mandate): MandateAct[] {
  if (status === 'canceled') return []
  return status === 'paused' ? ['resume', 'cancel'] : ['charge', 'fail_charge', 'pause', 'cancel']
}

/** @throws if the mandate's status does not allow the action */
export function actOnMandate(
  sandbox: Sandbox,
  mandate: Mandate,
  act: MandateAct,
  mode: CallbackMode = 'once',
): void {
  if (!possibleMandateActs(mandate).includes(act))
    throw new Error(`This mandate is ${mandate.status}, so ${act} is not possible.`)
  mandate.updated_at = sandbox.now()
  if (act === 'charge') charge(sandbox, mandate, mode)
  else if (act === 'fail_charge') failCharge(sandbox, mandate, mode)
  else {
    mandate.status = act === 'pause' ? 'paused' : act === 'resume' ? 'active' : 'canceled'
    mandate.next_charge_at = act === 'resume' ? sandbox.now() + mandate.every_days * DAY_MS : null
    const eventType = { pause: 'paused', resume: 'resumed', cancel: 'canceled' }[act]
    recordSubscription(sandbox, eventType, mandate, mode)
  }
  sandbox.store.save()
}

function charge(sandbox: Sandbox, mandate: Mandate, mode: CallbackMode): void {
  const payment = renewalOf(sandbox, mandate)
  const wasPastDue = mandate.status === 'past_due'
  mandate.status = 'active'
  mandate.next_charge_at = sandbox.now() + mandate.every_days * DAY_MS
  payment.status = 'confirming'
  recordTransaction(sandbox, 'paid', payment, mode)
  payment.status = 'paid'
  recordTransaction(sandbox, 'completed', payment, mode)
  if (wasPastDue) recordSubscription(sandbox, 'activated', mandate, mode)
}

function failCharge(sandbox: Sandbox, mandate: Mandate, mode: CallbackMode): void {
  const payment = renewalOf(sandbox, mandate)
  const wasPastDue = mandate.status === 'past_due'
  Object.assign(payment, { status: 'past_due', was_declined: true })
  mandate.status = 'past_due'
  mandate.next_charge_at = sandbox.now() + DAY_MS
  recordTransaction(sandbox, 'payment_failed', payment, mode)
  if (wasPastDue) return
  recordTransaction(sandbox, 'past_due', payment, mode)
  recordSubscription(sandbox, 'past_due', mandate, mode)
}

/** @returns the failed charge to retry, or a new charge */
function renewalOf(sandbox: Sandbox, mandate: Mandate): Payment {
  const { payments } = sandbox.store.state
  const now = sandbox.now()
  const unpaid = payments.find((payment) => payment.mandate === mandate.id && payment.status === 'past_due')
  if (unpaid !== undefined) return Object.assign(unpaid, { updated_at: now })
  const payment: Payment = {
    reference: paddleId('txn'),
    order_id: mandate.order_id,
    kind: 'card',
    origin: 'renewal',
    status: 'open',
    description: mandate.description,
    amount_cents: mandate.amount_cents,
    currency: mandate.currency,
    // Paddle copies custom_data from the transaction to the subscription, and from the subscription to each charge.
    custom_data: { order_id: mandate.order_id },
    return_url: null,
    callback_url: null,
    renews_every_days: mandate.every_days,
    mandate: mandate.id,
    received_pct: 0,
    was_declined: false,
    charged_back: false,
    part_id: paddleId('txnitm'),
    created_at: now,
    updated_at: now,
  }
  payments.push(payment)
  return payment
}

/** @throws if the refund has already been approved or rejected */
export function decideRefund(
  sandbox: Sandbox,
  refund: Refund,
  status: 'approved' | 'rejected',
  mode: CallbackMode = 'once',
): void {
  if (refund.status !== 'pending_approval') throw new Error(`This refund is already ${refund.status}.`)
  const payment = sandbox.store.state.payments.find(({ reference }) => reference === refund.transaction)
  if (payment === undefined) throw new Error('The payment of this refund no longer exists.')
  Object.assign(refund, { status, updated_at: sandbox.now() })
  recordAdjustment(sandbox, 'updated', refund, payment, mode)
  sandbox.store.save()
}

/** Approves the refunds and charges the mandates that are due. */
export function processDue(sandbox: Sandbox): void {
  const { refunds, mandates, refunds_by_hand } = sandbox.store.state
  const now = sandbox.now()
  for (const refund of refunds) {
    const isDue =
      refund.status === 'pending_approval' && refund.created_at + sandbox.approve_refunds_after_ms <= now
    if (isDue && !refunds_by_hand) decideRefund(sandbox, refund, 'approved')
  }
  for (const mandate of mandates) {
    if (mandate.next_charge_at === null || mandate.next_charge_at > now) continue
    actOnMandate(sandbox, mandate, mandate.charges_fail ? 'fail_charge' : 'charge')
  }
}
