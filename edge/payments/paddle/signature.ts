import { isHmac } from '../hmac.ts'

/** Paddle signs each attempt separately, so an older signature means a replay, not a slow network. */
const TOLERANCE_SECONDS = 300
/** During a secret rotation, Paddle signs with both secrets. */
const SIGNATURES_MAX = 5

/**
 * Verifies `Paddle-Signature: ts=1671552777;h1=…;h1=…`, where each h1 is the HMAC-SHA256 of `ts:body` in hex.
 * @param secrets the secrets of the notification destination, any of which may have been used to sign.
 * @param now current time in milliseconds.
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

/** Parses the header. Returns null if it is malformed or expired. */
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
