import type { Deps } from '../deps.ts'
import { forgetCredentials } from './authenticate.ts'
import { authorizedWork } from './authorized-work.ts'
import type { SessionCaller } from './rules/caller.ts'
import { endAllSessionsStatement, endSessionStatement } from './session-queries.ts'
import { SESSION_SECONDS } from './session-tokens.ts'

/** Ends the session that sent the request. Contract: Accounts, Sessions. */
export async function endSession(deps: Deps, caller: SessionCaller): Promise<void> {
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: (_facts, now) => ({
      // The caller's token expires no later than a token issued now.
      statements: [endSessionStatement(deps.db, caller.session_id, now + SESSION_SECONDS * 1000)],
      answer: undefined,
    }),
  })
  forgetCredentials(deps)
}

/** Ends all sessions of the account, including the one that sent the request. Keeps the API keys. */
export async function endAllSessions(deps: Deps, caller: SessionCaller): Promise<void> {
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: () => ({
      statements: [endAllSessionsStatement(deps.db, caller.account.id)],
      answer: undefined,
    }),
  })
  forgetCredentials(deps)
}
