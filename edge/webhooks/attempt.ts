import { sign } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { judgePublicAddress } from '../platform/public-address.ts'
import type { Attempt } from './rules/delivery.ts'

const TIMEOUT_MS = 15_000
const ERROR_LENGTH_MAX = 300
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
  const verdict = await judgePublicAddress(deps, url)
  if (verdict !== 'safe') return unanswered(`the address is not public or does not resolve: ${verdict}`)
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
    return { response_status: response.status, error: null, response_body: await readBeginning(response) }
  } catch (error) {
    return unanswered(error instanceof Error ? error.message : 'no response')
  }
}

function unanswered(error: string) {
  return { response_status: null, error: error.slice(0, ERROR_LENGTH_MAX), response_body: null }
}

/** Signs with every active secret. Standard Webhooks allows several signatures in one header. */
function signWithAll(secrets: readonly string[], id: string, body: string, now: Date) {
  const all = secrets.map((secret) => sign([secret], id, body, now))
  return { ...all[0], 'webhook-signature': all.map((one) => one['webhook-signature']).join(' ') }
}

/** Reads the beginning of a response as text, and cancels the rest. The status counts even if reading fails. */
async function readBeginning({ body }: Response): Promise<string | null> {
  if (body === null) return null
  const reader = body.getReader()
  const bytes = new Uint8Array(BODY_BYTES_MAX)
  let length = 0
  const read = async () => {
    while (length < BODY_BYTES_MAX) {
      const { done, value } = await reader.read()
      if (done) return
      const part = value.subarray(0, BODY_BYTES_MAX - length)
      bytes.set(part, length)
      length += part.length
    }
  }
  await Promise.race([read(), scheduler.wait(BODY_MS_MAX)]).catch(() => undefined)
  await reader.cancel().catch(() => undefined)
  // With `stream`, the decoder omits an incomplete last character. The database ends text at a null character.
  const text = new TextDecoder().decode(bytes.subarray(0, length), { stream: true })
  return text.replaceAll('\0', '\uFFFD')
}
