import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { requireConnection } from './find.ts'
import { deleteConnectionStatement } from './queries.ts'

/**
 * Deletes a connection with its secret. Jobs that have not yet accessed the storage fail and are refunded. Throws 404.
 * Contract: Storage connections.
 */
export function deleteConnection(deps: Deps, caller: SessionCaller, name: string): Promise<void> {
  return authorizedWork(deps, caller, {
    load: () => requireConnection(deps, caller.account.id, name),
    decide: (found) => ({ statements: [deleteConnectionStatement(deps.db, found)], answer: undefined }),
  })
}
