import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { changeEndpointStatement, type Endpoint } from './endpoint-queries.ts'
import { requireEndpoint } from './endpoints.ts'
import { makeSecret } from './make-secret.ts'

/** Returns the signing secret of an endpoint. Throws 404, and 401 if the session has ended. */
export function showEndpointSecret(deps: Deps, caller: SessionCaller, id: string) {
  return authorizedWork(deps, caller, {
    load: () => requireEndpoint(deps, caller, id),
    decide: (endpoint) => ({ answer: viewSecret(endpoint) }),
  })
}

/** Rotates the secret. The previous secret is also used to sign for 24 hours. Throws like showEndpointSecret. */
export function rotateEndpointSecret(deps: Deps, caller: SessionCaller, id: string, record: RecordAnswer) {
  const secret = makeSecret()
  return authorizedWork(deps, caller, {
    load: () => requireEndpoint(deps, caller, id),
    decide: (endpoint, now) => {
      const fields = { secret, previousSecret: endpoint.secret, secretCreatedAt: now }
      const answer = viewSecret(fields)
      return {
        statements: [changeEndpointStatement(deps.db, endpoint, fields), ...record(answer)],
        answer,
      }
    },
  })
}

function viewSecret({ secret, secretCreatedAt }: Pick<Endpoint, 'secret' | 'secretCreatedAt'>) {
  return { secret, created_at: isoTime(secretCreatedAt) }
}
