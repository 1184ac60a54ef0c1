import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Says when a form was loaded, so that nobody else can say it: `time.nonce.signature`. */
export function makeFormToken(secrets: readonly string[], now: number): string {
  const content = `${now.toString(36)}.${randomBytes(9).toString('base64url')}`
  return `${content}.${sign(secrets[0] ?? '', content)}`
}

/** How long ago the token was made; null for one that is none of ours, or from the time to come. */
export function readFormAge(secrets: readonly string[], token: string, now: number): number | null {
  const [time = '', nonce = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const content = `${time}.${nonce}`
  const isOurs = secrets.some((secret) => isEqual(sign(secret, content), signature))
  const age = now - Number.parseInt(time, 36)
  return isOurs && age >= 0 ? age : null
}

function sign(secret: string, content: string): string {
  return createHmac('sha256', secret).update(`feedback form ${content}`).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
