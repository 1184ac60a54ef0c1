import { findAccountByEmail } from '../accounts/queries.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { findAnywhere, isSpread } from '../platform/database/find-place.ts'
import { requireAllKnown } from '../platform/database/known-databases.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { hashLinkToken, makeLinkToken } from '../upload-links/link-token.ts'
import { countUsableResets, insertResetStatements, isResetSent } from './queries.ts'
import { RequestedReset } from './request-reset.ts'
import { LINK_LIVES_MS, USABLE_LINKS_MAX } from './rules/reset-link.ts'

/**
 * Creates and emails the link of a requested reset. Sends nothing if there is no account with this address, it is
 * blocked, or it has enough usable links. Earlier links stay valid; otherwise, a stranger's requests could invalidate
 * the owner's link. Contract: Accounts, Password reset.
 */
export async function sendResetLink(requested: Deps, request_id: string, payload: unknown): Promise<void> {
  const { email_key, expires_at } = RequestedReset.parse(payload)
  await requireAllKnown(requested)
  const place = isSpread(requested) ? await findOwner(requested, email_key) : null
  const deps = place?.deps ?? requested
  await unitOfWork(deps, {
    load: async () => {
      const [account, isSent] = await Promise.all([
        findAccountByEmail(deps.db, email_key),
        isResetSent(deps.db, request_id),
      ])
      const usable = account && (await countUsableResets(deps.db, account.id, deps.clock.now()))
      return { account, isSent, usable: usable ?? 0 }
    },
    decide: ({ account, isSent, usable }, now) => {
      if (account === undefined || account.blockedAt !== null || isSent || expires_at <= now) {
        return { answer: undefined }
      }
      if (usable >= USABLE_LINKS_MAX) return { answer: undefined }
      const token = makeLinkToken()
      const row = {
        requestId: request_id,
        accountId: account.id,
        tokenHash: hashLinkToken(token),
        expiresAt: expires_at,
      }
      const email = mailEffect(request_id, {
        to: account.email,
        locale: account.locale,
        content: {
          kind: 'password_reset',
          token,
          minutes: LINK_LIVES_MS / 60_000,
          has_password: account.passwordHash !== null,
        },
        useful_until: expires_at,
      })
      const limit = { usable_max: USABLE_LINKS_MAX, now }
      return { statements: insertResetStatements(deps.db, row, limit), effects: [email], answer: undefined }
    },
  })
}

function findOwner(deps: Deps, email_key: string) {
  return findAnywhere(deps, ({ db }) => findAccountByEmail(db, email_key))
}
