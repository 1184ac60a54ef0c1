/** Reads a cookie that `writeCookie` wrote. @param value what its value looks like. */
export function readCookie(headers: Headers, url: string, name: string, value: RegExp): string | null {
  const pattern = new RegExp(`(?:^|;\\s*)${fullName(name, url)}=(${value.source})(?:;|$)`)
  return pattern.exec(headers.get('cookie') ?? '')?.[1] ?? null
}

/** Writes a Set-Cookie header for a secret that neither scripts nor other sites can get at. */
export function writeCookie(url: string, name: string, value: string, lives_seconds: number): string {
  const rights = `HttpOnly; SameSite=Lax${isSecure(url) ? '; Secure' : ''}`
  return `${fullName(name, url)}=${value}; Path=/; Max-Age=${lives_seconds}; ${rights}`
}

/** Browsers accept the longer name only from this very host over TLS, so that no other host can plant the cookie. */
function fullName(name: string, url: string): string {
  return isSecure(url) ? `__Host-${name}` : name
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}
