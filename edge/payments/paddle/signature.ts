import { isHmac } from '../hmac.ts'

/** Paddle signs each attempt, so an older signature is a replay, not a slow network. */
const TOLERANCE_SECONDS = 300
/** During a secret rotation Paddle signs with both secrets. */
const SIGNATURES_MAX = 5

/**
 * Verifies `Paddle-Signature: ts=1671552777;h1=…;h1=…`, each h1 an HMAC-SHA256 of `ts:body` in hex.
 * @param secrets of the notification destination, any of which may have signed.
 * @param now in milliseconds.
 */
export async function isSignedByPaddle(
  secrets: readonly string[],
  header: string | null,
  body: string,
  now: number,
): Promise<boolean> {
  const read = readSignature(header, now)
  for (const signature of read?.signatures ?? []) {
    if (await isHmac('SHA-256', secrets, `${read?.ts}:${body}`, signature)) return true
  }
  return false
}

/** Parses the header; null if it is malformed or expired. */
export function readSignature(
  header: string | null,
  now: number,
): { ts: string; signatures: string[] } | null {
  const parts = (header ?? '').split(';').map((part) => part.trim().split('='))
  const values = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []))
  const [ts, ...more] = values('ts')
  if (ts === undefined || more.length > 0 || !/^\d{1,12}$/.test(ts)) return null
  if (Math.abs(now / 1000 - Number(ts)) > TOLERANCE_SECONDS) return null
  const signatures = values('h1').slice(0, SIGNATURES_MAX)
  return signatures.length === 0 ? null : { ts, signatures }
}
