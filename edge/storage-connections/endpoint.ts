import type { Deps } from '../deps.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import { judgePublicAddress } from '../platform/public-address.ts'

/**
 * Returns the endpoint without a trailing slash. Throws 422 unless it is an https URL of a public host. The fleet
 * checks the address again when it connects.
 */
export async function requireSafeEndpoint(deps: Deps, endpoint: string): Promise<string> {
  const url = URL.parse(endpoint)
  if (url === null || !isEndpoint(url, deps.env.ALLOW_PRIVATE_SOURCES)) throw unsafe()
  const verdict = await judgePublicAddress(deps, url.href)
  if (verdict === 'unsafe') throw unsafe()
  if (verdict === 'nowhere') throw invalidField('endpoint', 'unresolvable_storage_endpoint')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** Checks the parts of an endpoint. A query, a fragment, or credentials would become part of every request. */
function isEndpoint({ protocol, search, hash, username, password }: URL, allows_http: boolean): boolean {
  if ([search, hash, username, password].some((part) => part !== '')) return false
  return protocol === 'https:' || (allows_http && protocol === 'http:')
}

const unsafe = () => invalidField('endpoint', 'unsafe_storage_endpoint')
