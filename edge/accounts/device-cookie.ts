import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { readCookie, writeCookie } from '../platform/http/cookies.ts'
import { makeDeviceToken } from './device-token.ts'

const TOKEN = /[\w.-]{1,200}/
const NAME_LENGTH = 12

/** The token that an earlier sign-in to this account left in the browser; null where there is none. */
export function readDeviceToken(headers: Headers, url: string, email: string): string | null {
  return readCookie(headers, url, cookieName(email), TOKEN)
}

/** Answers a sign-in, and leaves a device token in the browser. */
export function answerSignedIn<Session extends { user: { email: string } }>(
  deps: Deps,
  session: Session,
  { status, url }: { status: number; url: string },
): Response {
  const { email } = session.user
  const { token, lives_seconds } = makeDeviceToken(deps, email)
  const cookie = writeCookie(url, cookieName(email), token, lives_seconds)
  return Response.json(session, { status, headers: { 'Set-Cookie': cookie } })
}

/** Each account has a cookie of its own: several people may sign in by one browser. */
function cookieName(email: string): string {
  const hash = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return `device_${hash.slice(0, NAME_LENGTH)}`
}
