/**
 * Reads a cookie written by `writeCookie`.
 * @param value the pattern of a valid value.
 */
export function readCookie(headers: Headers, url: string, name: string, value: RegExp): string | null {
  const pattern = new RegExp(`(?:^|;\\s*)${fullName(name, url)}=(${value.source})(?:;|$)`)
  return pattern.exec(headers.get('cookie') ?? '')?.[1] ?? null
}

/** Formats a Set-Cookie header for a secret that scripts and other sites cannot read. */
export function writeCookie(url: string, name: string, value: string, lives_seconds: number): string {
  const rights = `HttpOnly; SameSite=Lax${isSecure(url) ? '; Secure' : ''}`
  return `${fullName(name, url)}=${value}; Path=/; Max-Age=${lives_seconds}; ${rights}`
}

/**
 * Adds the `__Host-` prefix. Browsers accept it only from this host over TLS, so no other host can set the cookie.
 */
function fullName(name: string, url: string): string {
  return isSecure(url) ? `__Host-${name}` : name
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}
