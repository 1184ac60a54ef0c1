import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

/** Lifetime of a session. Contract: Accounts, Sessions. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60
const ALGORITHM = 'HS256'
const ISSUER = 'media-credits'

const Payload = z.object({
  sub: z.string().min(1),
  epoch: z.int(),
  jti: z.string(),
  iat: z.int(),
  exp: z.number(),
})

export interface SessionClaims {
  /** The random key of the account. */
  account_key: string
  /** The account's session epoch when the session started. A password change increments the epoch. */
  epoch: number
  /** Identifies the session, whose row in `sessions` is deleted when it ends. */
  session_id: string
}

/** The claims of a valid token. */
export interface ReadSession extends SessionClaims {
  issued_at: number
  expires_at: number
}

/**
 * Issues a session token.
 * @param keys `kid:base64secret`. The first key signs and every key verifies, so keys can be rotated.
 */
export async function issueSession(
  keys: readonly string[],
  { account_key, epoch, session_id }: SessionClaims,
  now: number,
) {
  const [kid, secret] = splitKey(keys[0] ?? '')
  const expires_at = Math.floor(now / 1000) + SESSION_SECONDS
  const token = await new SignJWT({ epoch })
    .setProtectedHeader({ alg: ALGORITHM, kid })
    .setIssuer(ISSUER)
    .setSubject(account_key)
    .setJti(session_id)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(expires_at)
    .sign(secret)
  return { token, expires_at: expires_at * 1000 }
}

/** Verifies a session token; returns null if it is forged, expired, or signed with a removed key. */
export async function readSession(
  keys: readonly string[],
  token: string,
  now: number,
): Promise<ReadSession | null> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => findSecret(keys, kid), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['sub', 'iat', 'exp', 'epoch', 'jti'],
      currentDate: new Date(now),
    })
    const claims = Payload.safeParse(payload)
    if (!claims.success) return null
    const { sub, epoch, jti, iat, exp } = claims.data
    return { account_key: sub, epoch, session_id: jti, issued_at: iat * 1000, expires_at: exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function findSecret(keys: readonly string[], kid: string | undefined): Uint8Array {
  const found = keys.map(splitKey).find(([id]) => id === kid)
  if (found === undefined) throw new errors.JWSSignatureVerificationFailed()
  return found[1]
}

function splitKey(key: string): [kid: string, secret: Uint8Array] {
  const colon = key.indexOf(':')
  return [key.slice(0, colon), Uint8Array.from(atob(key.slice(colon + 1)), (char) => char.charCodeAt(0))]
}
