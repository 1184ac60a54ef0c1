import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { QuotaStanding } from '../platform/quotas/quotas.ts'

/** Context values that middleware sets for handlers. */
export interface AppEnv {
  Bindings: object
  Variables: {
    requestId: string
    deps: Deps
    caller: Caller
    /** The caller's quota standings; empty while the counters are unavailable. */
    standings: QuotaStanding[] | undefined
  }
}
