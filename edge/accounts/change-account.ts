import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { forgetAccount } from './authenticate.ts'
import { authorizedWork } from './authorized-work.ts'
import { setLocaleStatement } from './queries.ts'
import type { SessionCaller } from './rules/caller.ts'
import { showAccount } from './show.ts'

/**
 * Changes what the owner may change of the account record, and returns the record. Throws 401 if the session has ended.
 * Contract: Accounts, Account changes.
 */
export async function changeAccount(
  deps: Deps,
  caller: SessionCaller,
  { locale }: { locale?: Locale | undefined },
) {
  const { id } = caller.account
  if (locale !== undefined) {
    await authorizedWork(deps, caller, {
      load: async () => undefined,
      decide: () => ({ statements: [setLocaleStatement(deps.db, id, locale)], answer: undefined }),
    })
    // The next request of this account is often one that sends an email.
    forgetAccount(deps, id)
  }
  return showAccount(deps, caller)
}
