import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { requireSafeWebhook } from './address.ts'
import { countEndpoints, type Endpoint, insertEndpointStatements } from './endpoint-queries.ts'
import { makeSecret } from './make-secret.ts'
import type { Subscription } from './rules/events.ts'
import { viewEndpoint } from './view.ts'

/** Bounds the work at the end of a job. Contract: Webhooks, Webhook endpoint. */
const ENDPOINTS_MAX = 10

export interface EndpointRequest {
  url: string
  events: Subscription[]
  description: string | null
  enabled: boolean
}

/**
 * Creates an endpoint for the events of the account, and returns it with its secret. Throws 422 for an unsafe URL,
 * and 409 at the maximum of 10 endpoints.
 */
export async function createEndpoint(
  deps: Deps,
  caller: SessionCaller,
  { url, events, description, enabled }: EndpointRequest,
  record: RecordAnswer,
) {
  await requireSafeWebhook(deps, url, 'url')
  const { id: accountId } = caller.account
  const given = { id: crypto.randomUUID(), accountId, url, description, enabled, secret: makeSecret() }
  return authorizedWork(deps, caller, {
    load: () => countEndpoints(deps.db, accountId),
    decide: (held, now) => {
      if (held >= ENDPOINTS_MAX) {
        throw new ApiError('too_many_webhook_endpoints', { endpoints_max: ENDPOINTS_MAX })
      }
      const endpoint: Endpoint = {
        ...given,
        events: [...new Set(events)],
        ...{ disabledReason: null, disabledAt: null, failingSince: null, previousSecret: null },
        ...{ secretCreatedAt: now, createdAt: now },
      }
      const answer = { ...viewEndpoint(endpoint), secret: endpoint.secret }
      const statements = insertEndpointStatements(deps.db, endpoint, ENDPOINTS_MAX)
      return { statements: [...statements, ...record(answer)], answer }
    },
  })
}
