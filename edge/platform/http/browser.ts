import { readCookie, writeCookie } from './cookies.ts'

const COOKIE = 'idp_browser'
const SECRET = /[0-9a-f-]{36}/

/**
 * Returns the secret that this browser received when it started a sign-in; undefined for clients that are not
 * browsers, which can use only their own session. Browsers send Sec-Fetch-Site or, if they are older, Origin; web
 * pages can neither omit nor set these headers.
 */
export function readBrowser(headers: Headers, url: string): { secret: string | null } | undefined {
  if (!headers.has('sec-fetch-site') && !headers.has('origin')) return undefined
  return { secret: readCookie(headers, url, COOKIE, SECRET) }
}

/** Returns a JSON response that stores the secret in a cookie that scripts and other sites cannot read. */
export function answerWithBrowserSecret(
  content: object,
  { secret, lives_seconds }: { secret: string; lives_seconds: number },
  url: string,
): Response {
  return Response.json(content, {
    headers: { 'Set-Cookie': writeCookie(url, COOKIE, secret, lives_seconds) },
  })
}
