import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import { WELCOME_MS } from '../credits/rules/allowance.ts'
import { grant, unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { hashMailbox } from './address-hash.ts'
import { forgetCredentials } from './authenticate.ts'
import { confirmStatements } from './email-code-queries.ts'
import { isMailboxWelcomed, noteMailboxStatement, unwelcomedGuard } from './mailbox-queries.ts'
import { findAccount } from './queries.ts'
import { welcomeCredits } from './rules/welcome.ts'

/**
 * Verifies an account's email address and grants the welcome credits in the same commit, once per account and
 * mailbox. Makes the account an administrator if its address is in ADMIN_EMAILS.
 */
export async function confirmAddress(deps: Deps, accountId: number) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const granted_credits = await changeCredits(deps, accountId, {
    load: async () => {
      const [loaded, account] = await Promise.all([
        loadCredits(deps.db, accountId),
        findAccount(deps.db, accountId),
      ])
      if (account === undefined) throw new ApiError('account_not_found')
      const hashes = hashMailbox(deps.env, account.emailKey)
      const welcomed = await readEverywhere(deps, (db) => isMailboxWelcomed(db, hashes))
      return { loaded, account, hashes, welcomed: welcomed.includes(true) }
    },
    decide: ({ account, hashes, welcomed }, settled, now) => {
      if (account.emailVerifiedAt !== null) return { answer: 0 }
      const amount = welcomeCredits({ welcomeUsed: account.welcomeUsed || welcomed }, settings)
      const noted = { mailboxHash: hashes[0], welcomeUsed: true, dailyFreeFrom: null, retiredAt: null }
      const expires_at = now + WELCOME_MS
      const given = { kind: 'signup_bonus' as const, amount, expires_at, cause: `welcome:${accountId}` }
      // Administrators are accounts of the home.
      const makeAdmin = deps.env.ADMIN_EMAILS.includes(account.emailKey) && deps.db.$number === 0
      return {
        change: amount > 0 ? grant(settled, given) : unchanged(settled),
        statements: [
          ...confirmStatements(deps.db, accountId, now, { makeAdmin }),
          ...(amount > 0 ? [unwelcomedGuard(deps.db, hashes), noteMailboxStatement(deps.db, noted)] : []),
        ],
        answer: amount,
      }
    },
  })
  forgetCredentials(deps)
  return { email_verified: true, granted_credits }
}
