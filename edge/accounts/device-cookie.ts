import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Deps } from '../deps.ts'
import { readCookie, writeCookie } from '../platform/http/cookies.ts'
import { makeDeviceToken } from './device-token.ts'

const TOKEN = /[\w.-]{1,200}/
const NAME_LENGTH = 12

/** Reads the device token from an earlier sign-in to this account; returns null if there is none. */
export function readDeviceToken(headers: Headers, url: string, email: string): string | null {
  return readCookie(headers, url, cookieName(email), TOKEN)
}

/** Returns a sign-in response that sets a device token in the browser. */
export function answerSignedIn<Session extends { access_token: string; user: { email: string } }>(
  deps: Deps,
  session: Session,
  { status, url }: { status: number; url: string },
): Response {
  const { email } = session.user
  const { sub: publicKey = '', epoch } = decodeJwt<{ epoch: number }>(session.access_token)
  const { token, lives_seconds } = makeDeviceToken(deps, { publicKey, sessionEpoch: epoch })
  const cookie = writeCookie(url, cookieName(email), token, lives_seconds)
  return Response.json(session, { status, headers: { 'Set-Cookie': cookie } })
}

/** Derives a cookie name per account, because several people may use one browser. */
function cookieName(email: string): string {
  const hash = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return `device_${hash.slice(0, NAME_LENGTH)}`
}
