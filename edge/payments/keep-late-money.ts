import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { paybackEffect } from './pay-back.ts'
import type { PaymentEvent, RenewalEvent } from './provider.ts'
import { keptOnce, type PaybackNotice } from './rules/payback.ts'
import { keepEventStatement, supersedeStatement } from './unmatched-event-queries.ts'

interface LateMoney {
  provider: string
  reported: PaymentEvent | RenewalEvent
  /** null if a poll found the payment. */
  event: { id: string; occurred_at: number } | null
  notice: PaybackNotice
}

/**
 * Keeps money that arrived for a deleted account: nothing is delivered, an administrator sees it, and providers that
 * refund pay it back. Contract: Accounts, Account deletion.
 */
export function keepLateMoney(
  { db, payments }: Pick<Deps, 'db' | 'payments'>,
  { provider, reported, event, notice }: LateMoney,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  const { kind, reference } = reported
  const about = kind === 'payment' ? reported.order_id : reported.mandate
  const refunds = payments.find(({ name }) => name === provider)?.refunds ?? false
  const kept = {
    ...{ provider, kind, about, event: reported, createdAt: now, reason: 'account_deleted' as const },
    eventId: refunds ? keptOnce(reported) : (event?.id ?? `found:${reference}`),
    occurredAt: event?.occurred_at ?? now,
    ...(refunds ? ({ payback: 'requested', paybackNotice: notice } as const) : {}),
  }
  return {
    statements: [
      keepEventStatement(db, kept),
      ...(kind === 'payment' ? [supersedeStatement(db, { provider, about, reference, now })] : []),
    ],
    effects: refunds ? [paybackEffect({ provider, reference })] : [],
  }
}
