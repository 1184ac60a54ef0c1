const COOKIE = 'idp_browser'
/** Browsers take a cookie of this name from no page that came without TLS. */
const SECURE_COOKIE = `__Secure-${COOKIE}`
const PATTERN = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${COOKIE}=([0-9a-f-]{36})(?:;|$)`)

/**
 * The secret that this browser was given when it began a sign-in.
 * @returns undefined for a client that is no browser: it holds nobody's session but its own. Browsers say
 * where a request comes from in Sec-Fetch-Site, which no page can leave out or write.
 */
export function readBrowser(headers: Headers): { secret: string | null } | undefined {
  if (!headers.has('sec-fetch-site')) return undefined
  return { secret: PATTERN.exec(headers.get('cookie') ?? '')?.[1] ?? null }
}

/** Answers JSON, and leaves the secret where scripts and other sites can't get at it. */
export function answerWithBrowserSecret(
  content: object,
  { secret, path, lives_seconds }: { secret: string; path: string; lives_seconds: number },
  url: string,
): Response {
  const isSecure = url.startsWith('https:')
  const name = isSecure ? SECURE_COOKIE : COOKIE
  const rights = `HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const cookie = `${name}=${secret}; Path=${path}; Max-Age=${lives_seconds}; ${rights}`
  return Response.json(content, { headers: { 'Set-Cookie': cookie } })
}
