import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { forgetOrigins } from './allowed.ts'
import { listOrigins, replaceOriginsStatements } from './queries.ts'

/** Lists the origins of web pages that may call the API with the account's credentials. */
export async function showOrigins({ db }: Deps, { account }: SessionCaller) {
  return { origins: await listOrigins(db, account.id) }
}

/** Replaces the list of origins. Throws 401 if the session has ended. */
export async function replaceOrigins(deps: Deps, caller: SessionCaller, origins: readonly string[]) {
  const { id } = caller.account
  const answer = { origins: [...new Set(origins)].toSorted() }
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: () => ({
      statements: replaceOriginsStatements(deps.db, id, answer.origins),
      answer: undefined,
    }),
  })
  forgetOrigins(deps, id)
  return answer
}
