import type { Deps } from '../deps.ts'
import { unlinkedGuard } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { effectStatements } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { linkAccount } from './link-identity.ts'
import { revokeStranger } from './revoke-stranger.ts'

/**
 * Links an account that someone else created with this person's address. Ends every way into it in the same commit, and
 * cancels its open jobs afterwards. Throws 409 like linkAccount, and LostRace if the address was verified or the
 * identity was linked concurrently.
 */
export async function takeOverAccount(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  const { full_name, locale } = identity
  const owner = { fullName: full_name, ...(locale === null ? {} : { locale: pickLocale(locale) }) }
  const now = deps.clock.now()
  const { statements, effects } = revokeStranger(deps, accountId, owner, now)
  await linkAccount(deps, accountId, identity, [
    unlinkedGuard(deps.db, accountId, identity),
    ...statements,
    ...effectStatements(deps.db, effects, now),
  ])
  deps.defer(sendEffects(deps, effects))
}
