import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { TransferFault } from '../../../shared/failures/transfers.ts'
import type { AddressGuard } from '../../runtime/address-guard.ts'
import type { JobFailure } from '../../runtime/failure.ts'

/** Time limit from the request to the end of the response headers, however slowly they arrive. */
const ANSWER_MS_MAX = 30_000

export interface FileRequest {
  signal: AbortSignal
  guard: AddressGuard
  redirects_max: number
  failure: (fault: TransferFault) => JobFailure
  /** Sent to every server. */
  headers: Record<string, string>
  /** Headers of the caller. A redirect to another origin drops them for good, because they may be credentials. */
  own_headers: Record<string, string>
}

/** Requests a file and follows redirects. The status of the response can be any but that of a redirect. */
export async function requestFile(start: URL, request: FileRequest): Promise<IncomingMessage> {
  const { redirects_max, failure, headers, own_headers } = request
  let url = start
  let is_own_origin = true
  for (let redirects = 0; redirects <= redirects_max; redirects += 1) {
    const sent = is_own_origin ? { ...headers, ...own_headers } : headers
    const response = await get(url, sent, request)
    const status = response.statusCode ?? 0
    if (status < 300 || status >= 400) return response
    // The body is not needed.
    response.destroy()
    const { location } = response.headers
    const next = location === undefined ? null : URL.parse(location, url.href)
    if (next === null) throw failure({ fault: 'status', status })
    is_own_origin &&= next.origin === start.origin
    url = next
  }
  throw failure({ fault: redirects_max === 0 ? 'redirected' : 'too_many_redirects' })
}

function get(
  url: URL,
  headers: Record<string, string>,
  { signal, guard, failure }: FileRequest,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failure({ fault: 'not_http' })
  if (!guard.allowsUrl(url)) throw failure({ fault: 'not_public' })
  const begin = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, { lookup: guard.lookup, signal, agent: false, headers })
    const response_timer = setTimeout(() => outgoing.destroy(noAnswer()), ANSWER_MS_MAX)
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.on('response', () => clearTimeout(response_timer))
    outgoing.on('close', () => clearTimeout(response_timer))
    outgoing.end()
  })
}

function noAnswer(): Error {
  return Object.assign(new Error('the server did not respond'), { code: 'ETIMEDOUT' })
}
