import { findAccountOf } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import { grant } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { samePaybackGuard } from '../payments/payback-queries.ts'
import type { MandateEvent, PaymentEvent, RenewalEvent } from '../payments/provider.ts'
import { isPayingBack } from '../payments/rules/payback.ts'
import { causeOfGrant, type EventOutcome, grantEffectId } from '../payments/rules/unmatched-events.ts'
import {
  findUnmatchedEvent,
  listUnmatchedEvents,
  settleEventStatement,
  type UnmatchedEvent,
} from '../payments/unmatched-event-queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { atRow, findAnywhere } from '../platform/database/find-place.ts'
import { readEverywhere, readRowsEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { administer, requireAdministrator } from './audit.ts'
import { auditStatements, nextAuditId } from './audit-queries.ts'
import { grantEffect } from './grant-elsewhere.ts'

/** Lists provider events for unknown orders and mandates, newest first. */
export async function showUnmatchedEvents(
  deps: Deps,
  { status, ...page }: { status: 'open' | 'settled'; limit: number; offset: number },
) {
  const bounds = { ...page, settled: status === 'settled' }
  const rows = await readRowsEverywhere(
    deps,
    bounds,
    listUnmatchedEvents,
    (one, other) => other.createdAt - one.createdAt || other.id - one.id,
  )
  return rows.map(viewEvent)
}

function viewEvent(row: UnmatchedEvent) {
  const { event } = row
  return {
    id: row.id,
    provider: row.provider,
    event_id: row.eventId,
    kind: row.kind,
    about: row.about,
    reference: event.kind === 'mandate' ? null : event.reference,
    state: event.state,
    ...moneyOf(event),
    occurred_at: isoTime(row.occurredAt),
    received_at: isoTime(row.createdAt),
    settled_at: isoTime(row.settledAt),
    outcome: row.outcome,
    note: row.note,
    reason: row.reason,
    payback: row.payback,
  }
}

function moneyOf(event: PaymentEvent | RenewalEvent | MandateEvent) {
  if (event.kind === 'mandate') return { amount_cents: 0, currency: null }
  if (event.kind === 'payment') return { amount_cents: event.paid_cents, currency: event.currency }
  return { amount_cents: event.state === 'paid' ? event.amount_cents : 0, currency: event.currency }
}

interface Settlement {
  action: 'grant' | 'dismiss'
  account_id?: number | undefined
  credits?: number | undefined
  note: string
}

/**
 * Settles an event: grants credits for the money received, or dismisses the event. Throws 404 for an unknown event
 * or account, and 409 if the event is already settled.
 */
export async function settleUnmatchedEvent(
  asked: Deps,
  caller: SessionCaller,
  id: number,
  { account_id, credits, note }: Settlement,
  record: RecordAnswer,
) {
  // An event about an order is in the database of its account, and any other in the home.
  const deps = await atRow(asked, ({ db }) => findUnmatchedEvent(db, id))
  const settle = (row: UnmatchedEvent, outcome: EventOutcome, now: number) => {
    const answer = viewEvent({ ...row, settledAt: now, outcome, note })
    const entry = {
      action: 'unmatched_event.settle',
      target: `unmatched_event:${id}`,
      before: null,
      after: { outcome, account_id: account_id ?? null, credits: credits ?? 0, note },
    }
    const statements = [
      samePaybackGuard(deps.db, row),
      settleEventStatement(deps.db, id, { outcome, note, now }),
      ...record(answer),
    ]
    return { entry, statements, answer }
  }
  if (account_id !== undefined && credits !== undefined) {
    return grantForEvent(deps, caller, { id, account_id, credits, note }, settle)
  }
  return administer(deps, caller, {
    load: () => requireOpen(deps, id),
    decide: (row, now) => {
      const { entry, ...settled } = settle(row, 'dismissed', now)
      return { ...settled, entries: [entry] }
    },
  })
}

type Settle = (
  row: UnmatchedEvent,
  outcome: EventOutcome,
  now: number,
) => {
  entry: Parameters<typeof auditStatements>[2]
  statements: Statement[]
  answer: ReturnType<typeof viewEvent>
}

async function grantForEvent(
  deps: Deps,
  caller: SessionCaller,
  { id, account_id, credits, note }: { id: number; account_id: number; credits: number; note: string },
  settle: Settle,
) {
  const place = await findAnywhere(deps, ({ db }) => findAccountOf(db, account_id))
  if (place === null) throw new ApiError('account_not_found')
  if (place.deps.db !== deps.db) {
    return unitOfWork(deps, {
      load: async () => {
        const [audit_id, row] = await Promise.all([
          nextAuditId(deps.db),
          requireUngranted(deps, id),
          requireAdministrator(deps, caller),
        ])
        return { audit_id, row }
      },
      decide: ({ audit_id, row }, now) => {
        const { entry, statements, answer } = settle(row, 'granted', now)
        return {
          statements: [...auditStatements(deps.db, audit_id, entry, { caller, now }), ...statements],
          effects: [grantEffect({ account_id, credits, cause: causeOfGrant(row), note })],
          answer,
        }
      },
    })
  }
  return changeCredits(deps, account_id, {
    load: async () => {
      const [audit_id, loaded, row] = await Promise.all([
        nextAuditId(deps.db),
        loadCredits(deps.db, account_id),
        requireUngranted(deps, id),
        requireAdministrator(deps, caller),
      ])
      return { audit_id, loaded, row }
    },
    decide: ({ audit_id, row }, settled, now) => {
      const { entry, statements, answer } = settle(row, 'granted', now)
      const given = { amount: credits, expires_at: null, cause: causeOfGrant(row), note }
      return {
        change: grant(settled, { kind: 'adjust', ...given }),
        statements: [...auditStatements(deps.db, audit_id, entry, { caller, now }), ...statements],
        answer,
      }
    },
  })
}

async function requireOpen(deps: Deps, id: number): Promise<UnmatchedEvent> {
  const row = await findUnmatchedEvent(deps.db, id)
  if (row === undefined) throw new ApiError('event_not_found')
  if (row.outcome !== null) throw new ApiError('event_already_settled', { outcome: row.outcome })
  if (isPayingBack(row.payback)) throw new ApiError('payback_in_progress')
  return row
}

/** Like requireOpen. Also throws 409 if the same money was granted for another event that reported it. */
async function requireUngranted(deps: Deps, id: number): Promise<UnmatchedEvent> {
  const row = await requireOpen(deps, id)
  const cause = causeOfGrant(row)
  const granted = await readEverywhere(deps, ({ $client }) =>
    $client.execute({
      sql: 'SELECT 1 FROM ledger WHERE cause = ? UNION ALL SELECT 1 FROM outbox WHERE id = ?',
      args: [cause, grantEffectId(cause)],
    }),
  )
  if (granted.every(({ rows }) => rows.length === 0)) return row
  throw new ApiError('event_already_settled', { outcome: 'granted' })
}
