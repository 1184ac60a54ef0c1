import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { QuotaStanding } from '../platform/quotas/quotas.ts'

/** What the middleware leaves for a handler. */
export interface AppEnv {
  Bindings: object
  Variables: {
    requestId: string
    deps: Deps
    caller: Caller
    /** How the caller stands with each limit; empty while the counters cannot be reached. */
    standings: QuotaStanding[] | undefined
  }
}
