import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { StoredOrder } from '../orders/queries.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { StoredRefund } from './queries.ts'

/** Longer than any mail server outage. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

/** The account data that refund emails need. */
interface Recipient {
  email: string
  locale: Locale
}

interface Outcome {
  /** True if the account was deleted, so its credits cannot come back. */
  is_deleted: boolean
  /** null if there is no credit note. */
  credit_note_token: string | null
}

interface Acknowledged {
  ends_renewal: boolean
  /** True if the buyer confirmed a statement of withdrawal. */
  is_declaration: boolean
  /** True if the email may quote the statement of withdrawal. */
  quotes_note: boolean
}

/**
 * Returns the email that acknowledges a request and quotes its statement, date and time. Contract: Purchase rule
 * 10.
 */
export function acknowledgementEffect(
  deps: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  refund: StoredRefund,
  to: Recipient & Acknowledged,
  now: number,
): Effect | null {
  return emailEffect(deps, 'acknowledged', order, refund, to, now)
}

/** What only the acknowledgement of a request can say. */
export const UNASKED = { ends_renewal: false, is_declaration: false, quotes_note: false }

/** Returns the email about the outcome of a refund. Contract: Purchase rule 10. */
export function outcomeEffect(
  deps: Pick<Deps, 'mailer'>,
  order: StoredOrder,
  refund: StoredRefund,
  to: Recipient & Outcome,
  now: number,
): Effect | null {
  return emailEffect(deps, 'over', order, refund, { ...to, ...UNASKED }, now)
}

function emailEffect(
  { mailer }: Pick<Deps, 'mailer'>,
  stage: 'acknowledged' | 'over',
  order: StoredOrder,
  refund: StoredRefund,
  {
    email,
    locale,
    ends_renewal,
    is_declaration,
    quotes_note,
    is_deleted = false,
    credit_note_token = null,
  }: Recipient & Acknowledged & Partial<Outcome>,
  now: number,
): Effect | null {
  if (mailer === null) return null
  return mailEffect(`refund:${refund.id}:${stage}`, {
    to: email,
    locale,
    content: {
      kind: 'refund',
      status: stage === 'acknowledged' ? 'acknowledged' : endOf(refund),
      refund_id: refund.id,
      order_id: order.id,
      item_name: order.itemName,
      amount_cents: refund.amountCents,
      currency: refund.currency,
      credits: refund.creditsRemoved + refund.creditsWithdrawn,
      withdrawal: refund.reason === 'withdrawal',
      declaration: is_declaration,
      ends_renewal,
      by_hand: refund.status === 'awaiting_payout',
      credits_return: !is_deleted,
      credit_note_token,
      note: quotes_note ? refund.note : null,
      at: refund.createdAt,
    },
    useful_until: now + USEFUL_MS,
  })
}

function endOf({ status }: StoredRefund): 'succeeded' | 'failed' {
  return status === 'succeeded' ? 'succeeded' : 'failed'
}
