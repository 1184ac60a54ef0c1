import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Creates a signed token that contains its creation time: `time.nonce.signature`.
 * @param purpose the only purpose for which the token is valid.
 */
export function makeDatedToken(secrets: readonly string[], purpose: string, now: number): string {
  const content = `${now.toString(36)}.${randomBytes(9).toString('base64url')}`
  return `${content}.${sign(secrets[0] ?? '', purpose, content)}`
}

/**
 * Returns the age of a token in milliseconds; null if it is forged, was made for another purpose, or is dated in
 * the future.
 */
export function readTokenAge(
  secrets: readonly string[],
  purpose: string,
  token: string,
  now: number,
): number | null {
  const [time = '', nonce = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const content = `${time}.${nonce}`
  const isOurs = secrets.some((secret) => isEqual(sign(secret, purpose, content), signature))
  const age = now - Number.parseInt(time, 36)
  return isOurs && age >= 0 ? age : null
}

function sign(secret: string, purpose: string, content: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${content}`).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
