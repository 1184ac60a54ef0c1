import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { requireSafeEndpoint } from './endpoint.ts'
import { insertConnectionStatements, listConnections } from './queries.ts'
import { trimPrefix } from './rules/object-keys.ts'
import { sealSecret } from './secret.ts'
import { viewConnection } from './view.ts'

export const CONNECTIONS_MAX = 20

interface NewConnection {
  name: string
  endpoint: string
  region: string
  bucket: string
  prefix: string
  access_key_id: string
  secret_access_key: string
}

/**
 * Creates a connection to a bucket of the caller. Throws 409 if the name is in use or the account has the maximum
 * number of connections, 422 for an endpoint that is not public, and 503 if this server cannot store secrets.
 * Contract: Storage connections.
 */
export async function createConnection(
  deps: Deps,
  caller: SessionCaller,
  { access_key_id, secret_access_key, ...given }: NewConnection,
  record: RecordAnswer,
) {
  const sealed = sealSecret(deps, secret_access_key)
  const endpoint = await requireSafeEndpoint(deps, given.endpoint)
  const accountId = caller.account.id
  return authorizedWork(deps, caller, {
    load: () => listConnections(deps.db, accountId),
    decide: (held, now) => {
      if (held.some(({ name }) => name === given.name)) {
        throw new ApiError('storage_connection_exists', { name: given.name })
      }
      if (held.length >= CONNECTIONS_MAX) {
        throw new ApiError('too_many_storage_connections', { connections_max: CONNECTIONS_MAX })
      }
      const connection = {
        ...given,
        endpoint,
        prefix: trimPrefix(given.prefix),
        accountId,
        accessKeyId: access_key_id,
        ...sealed,
        createdAt: now,
        updatedAt: now,
      }
      const answer = viewConnection(connection)
      const statements = insertConnectionStatements(deps.db, connection, CONNECTIONS_MAX)
      return { statements: [...statements, ...record(answer)], answer }
    },
  })
}
