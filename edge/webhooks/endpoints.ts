import { authorizedWork } from '../accounts/authorized-work.ts'
import type { AccountCaller, SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { requireSafeWebhook } from './address.ts'
import type { EndpointRequest } from './create-endpoint.ts'
import {
  changeEndpointStatement,
  deleteEndpointStatement,
  type Endpoint,
  findEndpoint,
  listEndpoints,
} from './endpoint-queries.ts'
import { viewEndpoint } from './view.ts'

/** Lists the account's endpoints, oldest first. */
export async function showEndpoints({ db }: Deps, { account }: AccountCaller) {
  return (await listEndpoints(db, account.id)).map(viewEndpoint)
}

/** Returns an endpoint of the caller, without its secret. Throws 404. */
export async function showEndpoint(deps: Deps, caller: AccountCaller, id: string) {
  return viewEndpoint(await requireEndpoint(deps, caller, id))
}

/** Returns an endpoint of the caller. Throws 404. */
export async function requireEndpoint(
  { db }: Deps,
  { account }: AccountCaller,
  id: string,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, account.id, id)
  if (endpoint === undefined) throw new ApiError('webhook_endpoint_not_found')
  return endpoint
}

type EndpointChange = { [Field in keyof EndpointRequest]?: EndpointRequest[Field] | undefined }

/** Changes the given fields of an endpoint. Throws 404, and 422 for an unsafe URL. */
export async function changeEndpoint(deps: Deps, caller: SessionCaller, id: string, change: EndpointChange) {
  if (change.url !== undefined) await requireSafeWebhook(deps, change.url, 'url')
  return authorizedWork(deps, caller, {
    load: () => requireEndpoint(deps, caller, id),
    decide: (endpoint) => {
      const fields = changedFields(endpoint, change)
      return {
        statements: [changeEndpointStatement(deps.db, endpoint, fields)],
        answer: viewEndpoint({ ...endpoint, ...fields }),
      }
    },
  })
}

/** Returns the changed fields. A new URL and enabling the endpoint both clear earlier failures. */
function changedFields(endpoint: Endpoint, change: EndpointChange) {
  const { url = endpoint.url, description = endpoint.description, enabled = endpoint.enabled } = change
  const is_fresh = url !== endpoint.url || (enabled && !endpoint.enabled)
  return {
    ...{ url, description, enabled },
    events: [...new Set(change.events ?? endpoint.events)],
    failingSince: is_fresh ? null : endpoint.failingSince,
    disabledReason: enabled ? null : endpoint.disabledReason,
    disabledAt: enabled ? null : endpoint.disabledAt,
  }
}

/** Deletes an endpoint and ends its pending deliveries. Throws 404. */
export function deleteEndpoint(deps: Deps, caller: SessionCaller, id: string): Promise<void> {
  return authorizedWork(deps, caller, {
    load: () => requireEndpoint(deps, caller, id),
    decide: (endpoint) => ({
      statements: [deleteEndpointStatement(deps.db, endpoint)],
      answer: undefined,
    }),
  })
}
