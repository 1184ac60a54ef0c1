import { type AccountRow, findAccount, findAccountByEmail } from '../../db/accounts.ts'
import { auditStatement, nextAuditId } from '../../db/audit.ts'
import { loadCredits } from '../../db/credits.ts'
import type { Deps } from '../../deps.ts'
import { balanceParts } from '../../rules/balance.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { deduct, grant } from '../../rules/ledger.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import type { RecordAnswer } from '../record-answer.ts'
import { isoTime } from '../views.ts'
import { requireAdministrator } from './audit.ts'

interface TopUp {
  account_id?: number | undefined
  email?: string | undefined
  credits: number
  note?: string | undefined
}

/**
 * Adds credits that never expire, or removes as many. Throws 404 for an unknown account, and 409 when the
 * balance does not cover the removal.
 * @returns the balance afterwards.
 */
export async function topUp(
  deps: Deps,
  caller: SessionCaller,
  { credits, note, ...named }: TopUp,
  record: RecordAnswer,
) {
  const { id } = await requireAccount(deps, named)
  const cause = `topup:${crypto.randomUUID()}`
  return changeCredits(
    deps,
    id,
    // All grants: a removal needs them, and the answer includes how much of the balance expires next.
    async () => {
      const facts = [
        nextAuditId(deps.db),
        loadCredits(deps.db, id),
        requireAdministrator(deps, caller),
      ] as const
      const [audit_id, loaded] = await Promise.all(facts)
      return { audit_id, loaded }
    },
    ({ audit_id }, settled, now) => {
      const about = { cause, ...(note === undefined ? {} : { note }) }
      const change =
        credits > 0
          ? grant(settled, { kind: 'adjust', amount: credits, expires_at: null, ...about })
          : deduct(settled, -credits, about)
      if (change === null) throw tooMuch(settled.balance)
      const { expires_at, ...parts } = balanceParts(change.credits)
      const answer = { ...parts, expires_at: isoTime(expires_at) }
      const entry = {
        action: 'account.topup',
        target: `account:${id}`,
        before: { balance: settled.balance },
        after: { balance: change.credits.balance, credits, note: note ?? null },
      }
      const by = { caller, now }
      return { change, statements: [auditStatement(deps.db, audit_id, entry, by), ...record(answer)], answer }
    },
  )
}

function tooMuch(balance: number): ApiError {
  return new ApiError(409, `The balance is ${balance} credits. Remove at most that many.`)
}

async function requireAccount(deps: Deps, { account_id, email }: Pick<TopUp, 'account_id' | 'email'>) {
  const account: AccountRow | undefined =
    account_id === undefined
      ? await findAccountByEmail(deps.db, (email ?? '').trim().toLowerCase())
      : await findAccount(deps.db, account_id)
  if (account === undefined) throw new ApiError(404, 'unknown account')
  return account
}
