import { type AccountRow, findAccountByEmail, findAccountOf } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import { balanceParts } from '../credits/rules/balance.ts'
import { deduct, grant } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { findAnywhere, type Place } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { requireAdministrator } from './audit.ts'
import { auditStatements, nextAuditId } from './audit-queries.ts'

interface TopUp {
  account_id?: number | undefined
  email?: string | undefined
  credits: number
  note?: string | undefined
}

/**
 * Adds credits that never expire, or removes credits. Throws 404 if the account is unknown and 409 if the balance
 * is too low.
 * @returns the new balance.
 */
export async function topUp(
  asked: Deps,
  caller: SessionCaller,
  { credits, note, ...named }: TopUp,
  record: RecordAnswer,
) {
  const { deps, found } = await requireAccount(asked, named)
  const { id } = found
  const cause = `topup:${crypto.randomUUID()}`
  return changeCredits(deps, id, {
    // Loads all grants: a removal needs them, and the response includes the part that expires first.
    load: async () => {
      const facts = [
        nextAuditId(deps.db),
        loadCredits(deps.db, id),
        requireAdministrator(deps, caller),
      ] as const
      const [audit_id, loaded] = await Promise.all(facts)
      return { audit_id, loaded }
    },
    decide: ({ audit_id }, settled, now) => {
      const about = { cause, ...(note === undefined ? {} : { note }) }
      const change =
        credits > 0
          ? grant(settled, { kind: 'adjust', amount: credits, expires_at: null, ...about })
          : deduct(settled, -credits, about)
      if (change === null) throw new ApiError('removal_exceeds_balance', { balance: settled.balance })
      const { expires_at, ...parts } = balanceParts(change.credits)
      const answer = { ...parts, expires_at: isoTime(expires_at) }
      const entry = {
        action: 'account.topup',
        target: `account:${id}`,
        before: { balance: settled.balance },
        after: { balance: change.credits.balance, credits, note: note ?? null },
      }
      const by = { caller, now }
      return {
        change,
        statements: [...auditStatements(deps.db, audit_id, entry, by), ...record(answer)],
        answer,
      }
    },
  })
}

async function requireAccount(deps: Deps, { account_id, email }: Pick<TopUp, 'account_id' | 'email'>) {
  const place: Place<AccountRow> | null = await findAnywhere(deps, ({ db }) =>
    account_id === undefined
      ? findAccountByEmail(db, (email ?? '').trim().toLowerCase())
      : findAccountOf(db, account_id),
  )
  if (place === null) throw new ApiError('account_not_found')
  if (place.found.deletedAt !== null) throw new ApiError('account_deleted')
  return place
}
