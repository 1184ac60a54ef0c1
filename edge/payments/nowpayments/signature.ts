import { isHmac } from '../hmac.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * What NOWPayments signs: the body's JSON with the keys of every object sorted.
 * @param lists as they are, or as objects of their indexes, as the example in its documentation makes them.
 */
export function sortKeys(value: Json, lists: 'kept' | 'as_objects'): Json {
  if (Array.isArray(value) && lists === 'kept') return value.map((item) => sortKeys(item, lists))
  if (value === null || typeof value !== 'object') return value
  // fromEntries, so that a key such as __proto__ is a key like any other.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item, lists)]),
  )
}

/** `x-nowpayments-sig`: the HMAC-SHA512 of the sorted body in hex. The body's own spaces and order are not signed. */
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

/** @returns null for what is nested deeper than can be written, as they never send it and strangers may. */
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
