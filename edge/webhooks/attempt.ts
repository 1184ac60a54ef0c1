import { Webhook } from 'standardwebhooks'
import type { Deps } from '../deps.ts'
import { readBeginning } from '../platform/http/read-beginning.ts'
import { judgeWebhookAddress, type WebhookVerdict } from './address.ts'
import type { Attempt } from './rules/delivery.ts'
import type { DeliveryFault } from './rules/delivery-faults.ts'

const TIMEOUT_MS = 15_000
/** Maximum size of a response in the log of attempts. */
const BODY_BYTES_MAX = 1024
/** Time limit for a response body, because a slow response must not occupy a delivery lane for long. */
const BODY_MS_MAX = 2000

interface WebhookRequest {
  url: string
  /** Webhook id, which is the same for every attempt. */
  id: string
  body: string
  /** All active secrets. */
  secrets: readonly string[]
}

/** Sends a webhook once, if its host is currently public. Does not throw if the receiver fails. */
export async function attemptWebhook(deps: Deps, request: WebhookRequest): Promise<Attempt> {
  const started = deps.clock.now()
  const outcome = await sendWebhook(deps, request)
  return { ...outcome, duration_ms: Math.max(0, deps.clock.now() - started) }
}

async function sendWebhook(
  deps: Deps,
  { url, id, body, secrets }: WebhookRequest,
): Promise<Omit<Attempt, 'duration_ms'>> {
  // The name may resolve to a different address now than when the URL was accepted.
  const verdict = await judgeWebhookAddress(deps, url)
  if (verdict !== 'safe') return unanswered(UNREACHABLE[verdict])
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'media-credits-webhooks/1',
        ...signWithAll(secrets, id, body, new Date(deps.clock.now())),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { response_status: response.status, error: null, response_body: await readBody(response) }
  } catch (error) {
    // The runtime's own words mean nothing to the receiver.
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return unanswered(isTimeout ? 'timeout' : 'connection_failed')
  }
}

const UNREACHABLE = {
  unencrypted: 'unencrypted',
  unsafe: 'not_public',
  nowhere: 'unknown_host',
  unknown: 'dns_unavailable',
} as const satisfies Record<Exclude<WebhookVerdict, 'safe'>, DeliveryFault>

function unanswered(error: DeliveryFault) {
  return { response_status: null, error, response_body: null }
}

/** Signs with every active secret. Standard Webhooks allows several signatures in one header. */
function signWithAll(secrets: readonly string[], id: string, body: string, now: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

/** Returns the text to log. The database ends text at a null character. */
async function readBody(response: Response): Promise<string | null> {
  const text = await readBeginning(response, { bytes_max: BODY_BYTES_MAX, timeout_ms: BODY_MS_MAX })
  return text?.replaceAll('\0', '\uFFFD') ?? null
}
