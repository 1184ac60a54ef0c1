import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { requireSafeEndpoint } from './endpoint.ts'
import { requireConnection } from './find.ts'
import { changeConnectionStatement } from './queries.ts'
import { trimPrefix } from './rules/object-keys.ts'
import { sealSecret } from './secret.ts'
import { viewConnection } from './view.ts'

interface Changes {
  endpoint?: string | undefined
  region?: string | undefined
  bucket?: string | undefined
  prefix?: string | undefined
  access_key_id?: string | undefined
  secret_access_key?: string | undefined
}

/**
 * Changes the given fields of a connection. Jobs that have not yet accessed the storage use the new values. Throws 404,
 * and 422 and 503 like createConnection. Contract: Storage connections.
 */
export async function changeConnection(deps: Deps, caller: SessionCaller, name: string, changes: Changes) {
  const { endpoint, prefix, access_key_id, secret_access_key, ...others } = changes
  const fields = {
    ...others,
    ...(endpoint === undefined ? {} : { endpoint: await requireSafeEndpoint(deps, endpoint) }),
    ...(prefix === undefined ? {} : { prefix: trimPrefix(prefix) }),
    ...(access_key_id === undefined ? {} : { accessKeyId: access_key_id }),
    ...(secret_access_key === undefined ? {} : sealSecret(deps, secret_access_key)),
  }
  return authorizedWork(deps, caller, {
    load: () => requireConnection(deps, caller.account.id, name),
    decide: (found, now) => {
      const changed = { ...found, ...fields, updatedAt: now }
      return {
        statements: [changeConnectionStatement(deps.db, found, { ...fields, updatedAt: now })],
        answer: viewConnection(changed),
      }
    },
  })
}
