const COOKIE = 'idp_browser'

/**
 * The secret that this browser was given when it began a sign-in.
 * @returns undefined for a client that is no browser: it holds nobody's session but its own. What a page sends
 * carries Sec-Fetch-Site, or in older browsers Origin at least, and no page can leave out or write either.
 */
export function readBrowser(headers: Headers, url: string): { secret: string | null } | undefined {
  if (!headers.has('sec-fetch-site') && !headers.has('origin')) return undefined
  const pattern = new RegExp(`(?:^|;\\s*)${cookieName(url)}=([0-9a-f-]{36})(?:;|$)`)
  return { secret: pattern.exec(headers.get('cookie') ?? '')?.[1] ?? null }
}

/** Answers JSON, and leaves the secret where scripts and other sites can't get at it. */
export function answerWithBrowserSecret(
  content: object,
  { secret, lives_seconds }: { secret: string; lives_seconds: number },
  url: string,
): Response {
  const rights = `HttpOnly; SameSite=Lax${isSecure(url) ? '; Secure' : ''}`
  const cookie = `${cookieName(url)}=${secret}; Path=/; Max-Age=${lives_seconds}; ${rights}`
  return Response.json(content, { headers: { 'Set-Cookie': cookie } })
}

/** Browsers take a cookie of the longer name from this very host alone, by TLS: nobody else can plant one. */
function cookieName(url: string): string {
  return isSecure(url) ? `__Host-${COOKIE}` : COOKIE
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}
