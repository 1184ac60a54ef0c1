import {
  type Sandbox,
  tellAdjustment,
  tellCryptoPayment,
  tellSubscription,
  tellTransaction,
} from './events.ts'
import { type CallbackMode, type Mandate, type Payment, paddleId, type Refund } from './state.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What a person, or a test in their place, can do to a checkout. */
export const CHECKOUT_ACTS = [
  'pay',
  'pay_then_fail',
  'decline',
  'see',
  'underpay',
  'expire',
  'fail',
  'charge_back',
  'reverse_charge_back',
] as const
export type CheckoutAct = (typeof CHECKOUT_ACTS)[number]

/** Which of them make sense for a payment as it is now. */
export function possibleActs({ kind, status, renews_every_days, charged_back }: Payment): CheckoutAct[] {
  if (kind === 'card') {
    if (status === 'paid') return [charged_back ? 'reverse_charge_back' : 'charge_back']
    if (status !== 'open') return []
    return renews_every_days === null
      ? ['pay', 'decline', 'expire']
      : ['pay', 'pay_then_fail', 'decline', 'expire']
  }
  if (status === 'open') return ['pay', 'see', 'underpay', 'expire', 'fail']
  // Coins can still come when nobody expects them any more.
  return status === 'paid' ? [] : ['pay']
}

/** @throws a sentence where the payment is past it. */
export function actOnCheckout(
  sandbox: Sandbox,
  payment: Payment,
  act: CheckoutAct,
  { mode = 'once', received_pct = 40 }: { mode?: CallbackMode; received_pct?: number } = {},
): void {
  if (!possibleActs(payment).includes(act))
    throw new Error(`This payment is ${payment.status}: it can't ${act}.`)
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
    tellTransaction(sandbox, 'payment_failed', payment, mode)
    return
  }
  if (act === 'expire') {
    payment.status = 'expired'
    tellTransaction(sandbox, 'canceled', payment, mode)
    return
  }
  payment.status = 'confirming'
  tellTransaction(sandbox, 'paid', payment, mode)
  const mandate =
    payment.renews_every_days === null ? null : openMandate(sandbox, payment, payment.renews_every_days)
  if (mandate !== null) mandate.charges_fail = act === 'pay_then_fail'
  payment.status = 'paid'
  if (mandate !== null) tellSubscription(sandbox, 'created', mandate, mode)
  tellTransaction(sandbox, 'completed', payment, mode)
}

/** A payer's bank takes all of a payment back, or has lost it again: Paddle makes an adjustment of each by itself. */
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
  tellAdjustment(sandbox, 'created', refund, payment, mode)
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
    payment.received_pct = 100
    if (payment.status !== 'confirming') {
      payment.status = 'confirming'
      tellCryptoPayment(sandbox, payment, mode)
    }
    if (act === 'see') return
    payment.status = 'paid'
  }
  tellCryptoPayment(sandbox, payment, mode)
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

/** @throws a sentence where the mandate is past it. */
export function actOnMandate(
  sandbox: Sandbox,
  mandate: Mandate,
  act: MandateAct,
  mode: CallbackMode = 'once',
): void {
  if (!possibleMandateActs(mandate).includes(act))
    throw new Error(`This mandate is ${mandate.status}: it can't ${act}.`)
  mandate.updated_at = sandbox.now()
  if (act === 'charge') charge(sandbox, mandate, mode)
  else if (act === 'fail_charge') failCharge(sandbox, mandate, mode)
  else {
    mandate.status = act === 'pause' ? 'paused' : act === 'resume' ? 'active' : 'canceled'
    mandate.next_charge_at = act === 'resume' ? sandbox.now() + mandate.every_days * DAY_MS : null
    const told = { pause: 'paused', resume: 'resumed', cancel: 'canceled' }[act]
    tellSubscription(sandbox, told, mandate, mode)
  }
  sandbox.store.save()
}

function charge(sandbox: Sandbox, mandate: Mandate, mode: CallbackMode): void {
  const payment = renewalOf(sandbox, mandate)
  const wasPastDue = mandate.status === 'past_due'
  mandate.status = 'active'
  mandate.next_charge_at = sandbox.now() + mandate.every_days * DAY_MS
  payment.status = 'confirming'
  tellTransaction(sandbox, 'paid', payment, mode)
  payment.status = 'paid'
  tellTransaction(sandbox, 'completed', payment, mode)
  if (wasPastDue) tellSubscription(sandbox, 'activated', mandate, mode)
}

function failCharge(sandbox: Sandbox, mandate: Mandate, mode: CallbackMode): void {
  const payment = renewalOf(sandbox, mandate)
  const wasPastDue = mandate.status === 'past_due'
  Object.assign(payment, { status: 'past_due', was_declined: true })
  mandate.status = 'past_due'
  mandate.next_charge_at = sandbox.now() + DAY_MS
  tellTransaction(sandbox, 'payment_failed', payment, mode)
  if (wasPastDue) return
  tellTransaction(sandbox, 'past_due', payment, mode)
  tellSubscription(sandbox, 'past_due', mandate, mode)
}

/** The charge that failed and is tried again, or a new one. */
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
    // Paddle copies it from the transaction to the subscription, and from there to each charge.
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

/** @throws a sentence where it is decided already. */
export function decideRefund(
  sandbox: Sandbox,
  refund: Refund,
  status: 'approved' | 'rejected',
  mode: CallbackMode = 'once',
): void {
  if (refund.status !== 'pending_approval') throw new Error(`This refund is ${refund.status} already.`)
  const payment = sandbox.store.state.payments.find(({ reference }) => reference === refund.transaction)
  if (payment === undefined) throw new Error('The payment of this refund is gone.')
  Object.assign(refund, { status, updated_at: sandbox.now() })
  tellAdjustment(sandbox, 'updated', refund, payment, mode)
  sandbox.store.save()
}

/** What happens by itself: refunds are approved, mandates are charged. */
export function doWhatIsDue(sandbox: Sandbox): void {
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
