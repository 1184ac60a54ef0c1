import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { addressHasher } from '../platform/crypto/address-hash.ts'
import { clientSubject } from '../platform/http/rules/client-address.ts'
import { accountSubject } from '../platform/http/subjects.ts'
import { dateOf, dayOf } from '../platform/rules/days.ts'
import { emptySample, isLogged, type LogSample } from './rules/request-log.ts'

/** A request with its response. The address stays in memory; only its hash is stored. */
export interface SeenRequest extends Omit<RequestRecord, 'ip_hash'> {
  address: string | null
}

export const RequestRecord = z.object({
  request_id: z.string(),
  account_id: z.int().nullable(),
  key_id: z.int().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  duration_ms: z.int(),
  source: z.enum(['web', 'api', 'bridge']),
  ip_hash: z.string(),
  at: z.number(),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** Requests that this isolate has not sent yet, and when the last sender started. */
interface Pending {
  requests: SeenRequest[]
  sender_since: number
  sample: LogSample
}

const pending = new WeakMap<object, Pending>()

/** How long to collect requests before sending them as one message. */
const LINGER_MS = 250
/** After this time, another sender replaces one that was interrupted. */
const SENDER_MS_MAX = 5000
const REQUESTS_MAX = 100

/**
 * Logs a request without delaying it: after its response, the first request waits for others and sends them all in
 * one message. Rejected requests are sampled. Pending records are lost if the isolate is evicted.
 */
export function recordRequest(deps: Deps, seen: SeenRequest): void {
  const own = pendingOf(deps.env)
  const { account_id, address } = seen
  const subject = account_id === null ? `ip:${clientSubject(address)}` : accountSubject(account_id)
  if (!isLogged(seen, subject, own.sample)) return
  own.requests.push(seen)
  if (own.requests.length >= REQUESTS_MAX) {
    deps.defer(sendPending(deps, own))
    return
  }
  if (own.sender_since > seen.at - SENDER_MS_MAX && own.sender_since <= seen.at) return
  own.sender_since = seen.at
  deps.defer(scheduler.wait(LINGER_MS).then(() => sendPending(deps, own)))
}

function pendingOf(env: object): Pending {
  const known = pending.get(env) ?? { requests: [], sender_since: 0, sample: emptySample() }
  pending.set(env, known)
  return known
}

async function sendPending({ env }: Deps, own: Pending): Promise<void> {
  const pending = own.requests.splice(0)
  own.sender_since = 0
  if (pending.length === 0) return
  const [secret = ''] = env.SESSION_KEYS
  const hashers = new Map<number, ReturnType<typeof addressHasher>>()
  const requests = pending.map(({ address, ...request }): RequestRecord => {
    const day = dayOf(request.at)
    const hash = hashers.get(day) ?? addressHasher(secret, dateOf(day))
    hashers.set(day, hash)
    return { ...request, ip_hash: hash(address) }
  })
  await env.RECORDS.send({ kind: 'requests', requests }, { contentType: 'json' })
}
