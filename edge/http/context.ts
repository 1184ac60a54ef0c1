import type { Deps } from '../deps.ts'
import type { Caller } from '../rules/caller.ts'

/** What the middleware leaves for a handler. */
export interface AppEnv {
  Bindings: object
  Variables: { requestId: string; deps: Deps; caller: Caller }
}
