import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { forgetCredentials } from './authenticate.ts'
import { authorizedWork } from './authorized-work.ts'
import type { SessionCaller } from './rules/caller.ts'
import { endAllSessionsStatements, endSessionStatement, listSessions } from './session-queries.ts'

/**
 * Ends one session of the account: by default the one that sent the request. Throws 404 if the account has no such
 * session. Contract: Accounts, Sessions.
 */
export async function endSession(deps: Deps, caller: SessionCaller, id = caller.session_id): Promise<void> {
  const accountId = caller.account.id
  await authorizedWork(deps, caller, {
    load: () => listSessions(deps.db, accountId, deps.clock.now()),
    decide: (sessions) => {
      if (!sessions.some((session) => session.id === id)) throw new ApiError('session_not_found')
      return { statements: [endSessionStatement(deps.db, accountId, id)], answer: undefined }
    },
  })
  forgetCredentials(deps)
}

/** Ends all sessions of the account, including the one that sent the request. Keeps the API keys. */
export async function endAllSessions(deps: Deps, caller: SessionCaller): Promise<void> {
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: () => ({
      statements: endAllSessionsStatements(deps.db, caller.account.id),
      answer: undefined,
    }),
  })
  forgetCredentials(deps)
}
