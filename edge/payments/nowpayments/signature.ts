import { isHmac } from '../hmac.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * Sorts the keys of every object in a JSON body, which is what NOWPayments signs.
 * @param lists whether to keep arrays or convert them to objects keyed by index, as the documented example does.
 */
export function sortKeys(value: Json, lists: 'kept' | 'as_objects'): Json {
  if (Array.isArray(value) && lists === 'kept') return value.map((item) => sortKeys(item, lists))
  if (value === null || typeof value !== 'object') return value
  // Unlike an assignment, fromEntries treats a key such as __proto__ like any other key.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item, lists)]),
  )
}

/**
 * Verifies `x-nowpayments-sig`: the HMAC-SHA512 of the sorted body, in hex. The signature does not cover the body's
 * whitespace and key order.
 */
export async function isSignedByNowpayments(
  secret: string,
  signature: string | null,
  body: string,
): Promise<boolean> {
  const value = parse(body)
  if (signature === null || value === null || typeof value !== 'object' || Array.isArray(value)) return false
  for (const lists of ['kept', 'as_objects'] as const) {
    const text = writeSorted(value, lists)
    if (text !== null && (await isHmac('SHA-512', [secret.trim()], text, signature))) return true
  }
  return false
}

/** Returns null for JSON that is nested too deeply to serialize, because only an attacker would send it. */
function writeSorted(value: Json, lists: 'kept' | 'as_objects'): string | null {
  try {
    return JSON.stringify(sortKeys(value, lists))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function parse(body: string): Json {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
