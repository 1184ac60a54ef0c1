import { readCookie, writeCookie } from './cookies.ts'

const COOKIE = 'idp_browser'
const SECRET = /[0-9a-f-]{36}/

/**
 * The secret that this browser was given when it began a sign-in.
 * @returns undefined for a client that is no browser: it holds nobody's session but its own. What a page sends
 * carries Sec-Fetch-Site, or in older browsers Origin at least, and no page can leave out or write either.
 */
export function readBrowser(headers: Headers, url: string): { secret: string | null } | undefined {
  if (!headers.has('sec-fetch-site') && !headers.has('origin')) return undefined
  return { secret: readCookie(headers, url, COOKIE, SECRET) }
}

/** Answers JSON, and leaves the secret where scripts and other sites can't get at it. */
export function answerWithBrowserSecret(
  content: object,
  { secret, lives_seconds }: { secret: string; lives_seconds: number },
  url: string,
): Response {
  return Response.json(content, {
    headers: { 'Set-Cookie': writeCookie(url, COOKIE, secret, lives_seconds) },
  })
}
