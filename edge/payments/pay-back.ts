import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { reportUnforeseen } from '../log.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { settleAll } from '../platform/settle-all.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import {
  claimDuePaybacks,
  findPayback,
  listWaitingPaybacks,
  paybackGuard,
  paybackStatements,
  samePaybackGuard,
} from './payback-queries.ts'
import type { PaymentProvider, RefundEvent } from './provider.ts'
import { refuses } from './request.ts'
import { type PaybackNotice, paidBackBy, paybackId } from './rules/payback.ts'
import { findUnmatchedEvent, type UnmatchedEvent } from './unmatched-event-queries.ts'

const PaybackRequest = z.object({ provider: z.string(), reference: z.string() })
type PaybackRequest = z.infer<typeof PaybackRequest>

/**
 * Returns the effect that pays back a payment which arrived for a deleted account.
 * @param again distinguishes an effect from an earlier one, which may be acknowledged while this one is written.
 */
export function paybackEffect({ provider, reference }: PaybackRequest, again = ''): Effect {
  return { id: `payback:${provider}:${reference}${again}`, kind: 'payback', payload: { provider, reference } }
}

/**
 * Asks the provider to pay back, once however often it runs, and emails the payer. The provider knows the address: this
 * service has erased it. A payback that the provider refuses waits for an administrator, and is never asked for again.
 */
export async function payBack(deps: Deps, payload: unknown): Promise<void> {
  const request = PaybackRequest.parse(payload)
  const row = await findPayback(deps.db, request)
  if (row === undefined || row.payback !== 'requested' || row.paybackNotice === null) return
  const notice = row.paybackNotice
  const provider = deps.payments.find(({ name, refunds }) => refunds && name === request.provider)
  if (provider === undefined) return waitForProvider(deps, row)
  const reported = await askToPayBack(provider, row, { ...request, order_id: notice.order_id })
  const isFailed = reported === null || reported.state === 'failed'
  const payer = isFailed ? null : await findPayer(provider, request.reference)
  const isFirst = await unitOfWork(deps, {
    load: () => findPayback(deps.db, request),
    decide: (current, now) => {
      if (current === undefined || current.paybackReference !== null) return { answer: false }
      const { state, reference = null } = reported ?? { state: 'failed' as const }
      return {
        statements: [
          paybackGuard(deps.db, current),
          ...paybackStatements(deps.db, current, { state, reference, now }),
        ],
        effects: payer === null ? [] : emailEffects(deps, current, { ...request, ...notice, to: payer }, now),
        answer: true,
      }
    },
  })
  if (isFirst && isFailed) reportFailure(row)
}

/** Leaves the payback to an administrator, because a retry would not help until the provider is configured again. */
async function waitForProvider(deps: Deps, { id, provider, about, event }: UnmatchedEvent): Promise<void> {
  const reference = event.kind === 'mandate' ? '' : event.reference
  await unitOfWork(deps, {
    load: () => findPayback(deps.db, { provider, reference }),
    decide: (current, now) => ({
      statements:
        current?.payback === 'requested'
          ? paybackStatements(deps.db, current, { state: 'waiting', reference: null, now })
          : [],
      answer: undefined,
    }),
  })
  const text = `${provider} cannot pay back the money for ${about}; the event ${id} is waiting`
  reportUnforeseen(new Error(text), { task: 'pay back' })
}

async function askToPayBack(
  provider: PaymentProvider,
  { event }: UnmatchedEvent,
  { reference, order_id }: PaybackRequest & { order_id: string },
): Promise<RefundEvent | null> {
  const amount_cents =
    event.kind === 'payment' ? event.paid_cents : event.kind === 'renewal' ? event.amount_cents : 0
  const currency = event.kind === 'mandate' ? '' : (event.currency ?? '')
  const asked = { refund_id: paybackId(reference), order_id, reference, amount_cents, currency }
  try {
    return await provider.refund({ ...asked, whole: true, reason: 'account_deleted' })
  } catch (error) {
    if (!refuses(error)) throw error
    reportUnforeseen(error, { task: `pay back ${reference}` })
    return null
  }
}

/** A provider that refuses to name the payer does not hold up the payback. */
async function findPayer(provider: PaymentProvider, reference: string): Promise<string | null> {
  try {
    return await provider.findPayer(reference)
  } catch (error) {
    if (!refuses(error)) throw error
    reportUnforeseen(error, { task: `find the payer of ${reference}` })
    return null
  }
}

function emailEffects(
  { mailer }: Deps,
  { event, occurredAt }: UnmatchedEvent,
  { to, provider, reference, order_id, item_name, locale }: PaybackRequest & PaybackNotice & { to: string },
  now: number,
): Effect[] {
  if (mailer === null || event.kind === 'mandate') return []
  const amount_cents = event.kind === 'payment' ? event.paid_cents : event.amount_cents
  const content = {
    kind: 'paid_back' as const,
    ...{ order_id, item_name, amount_cents, currency: event.currency ?? '', at: occurredAt },
  }
  const email = { to, locale, content, useful_until: now + 30 * DAY_MS }
  return [mailEffect(`paid-back:${provider}:${reference}`, email)]
}

/** Applies a provider's event about a payback. Returns false if it is about a requested refund. */
export async function handlePaybackEvent(
  deps: Deps,
  provider: string,
  reported: RefundEvent,
): Promise<boolean> {
  const reference = paidBackBy(reported)
  if (reference === null) return false
  const failed = await unitOfWork(deps, {
    load: () => findPayback(deps.db, { provider, reference }),
    decide: (row, now) => {
      if (row === undefined || row.payback === reported.state) return { answer: null }
      const statements = paybackStatements(deps.db, row, { state: reported.state, reference: null, now })
      return { statements, answer: reported.state === 'failed' ? row : null }
    },
  })
  if (failed !== null) reportFailure(failed)
  return true
}

function reportFailure({ provider, about, id }: UnmatchedEvent): void {
  const text = `${provider} did not pay back the money for ${about} of a deleted account; the event ${id} is waiting`
  reportUnforeseen(new Error(text), { task: 'pay back' })
}

const ROWS_MAX = 50

/** Polls providers for paybacks without recent events, and requests those that waited for their provider. */
export async function pollPaybacks(deps: Deps): Promise<void> {
  await resumePaybacks(deps)
  const due = await claimDuePaybacks(deps.db, deps.clock.now(), ROWS_MAX)
  await settleAll(
    due.map(async ({ provider: name, paybackReference }) => {
      const provider = deps.payments.find((candidate) => candidate.name === name)
      if (provider === undefined || paybackReference === null) return
      const reported = await provider.findRefund(paybackReference)
      if (reported) await handlePaybackEvent(deps, name, reported)
    }),
  )
}

async function resumePaybacks(deps: Deps): Promise<void> {
  const providers = deps.payments.flatMap(({ name, refunds }) => (refunds ? [name] : []))
  const waiting = await listWaitingPaybacks(deps.db, providers, ROWS_MAX)
  await settleAll(
    waiting.map((row) =>
      unitOfWork(deps, {
        load: () => findUnmatchedEvent(deps.db, row.id),
        decide: (current, now) => {
          if (
            current?.payback !== 'waiting' ||
            current.outcome !== null ||
            current.event.kind === 'mandate'
          ) {
            return { answer: undefined }
          }
          const { provider, event } = current
          return {
            statements: [
              samePaybackGuard(deps.db, current),
              ...paybackStatements(deps.db, current, { state: 'requested', reference: null, now }),
            ],
            effects: [paybackEffect({ provider, reference: event.reference }, `:${now}`)],
            answer: undefined,
          }
        },
      }),
    ),
  )
}
