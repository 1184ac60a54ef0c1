export const KEY_BYTES_MIN = 24
/** Random secrets have more distinct characters. A word that is repeated to the required length has fewer. */
const DISTINCT_CHARACTERS_MIN = 8

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Checks whether the text is base64 with enough bytes to make guessing infeasible. */
export function isKey(text: string): boolean {
  return BASE64.test(text) && countBytes(text) >= KEY_BYTES_MIN
}

function countBytes(key: string): number {
  return Math.floor((key.replace(/=+$/, '').length * 3) / 4)
}

/** Returns what is wrong with a base64 key; null if it is random enough. */
export function judgeKey(key: string): string | null {
  if (!BASE64.test(key)) return 'must be a base64 secret. Use `openssl rand -base64 32`.'
  const bytes = countBytes(key)
  if (bytes < KEY_BYTES_MIN) {
    return `is too short: ${bytes} bytes. Use at least ${KEY_BYTES_MIN}, for example from \`openssl rand -base64 32\`.`
  }
  return judgeSecret(key, 0)
}

/** Returns what is wrong with a secret; null if it is long enough and does not repeat a few characters. */
export function judgeSecret(secret: string, length_min: number): string | null {
  if (secret.length < length_min) {
    return `is too short: ${secret.length} characters. Use at least ${length_min}.`
  }
  if (new Set(secret).size < Math.min(DISTINCT_CHARACTERS_MIN, length_min || DISTINCT_CHARACTERS_MIN)) {
    return 'is weak: it repeats a few characters. Use a random secret.'
  }
  return null
}
