/** With the prefix, no other host can set the cookie. The service reads the same name (edge/platform/http/cookies.ts). */
const IS_SECURE = globalThis.location?.protocol === 'https:'
const PREFIX = IS_SECURE ? '__Host-' : ''
const RIGHTS = `Path=/; SameSite=Lax${IS_SECURE ? '; Secure' : ''}`
const YEAR_SECONDS = 31_536_000

/** Writes or, given null, deletes a cookie by which the service renders documents (edge/web-app/answer-page.ts). */
export function writeCookie(name: string, value: string | null, lives_seconds = YEAR_SECONDS): void {
  const max_age = value === null ? 0 : lives_seconds
  // biome-ignore lint/suspicious/noDocumentCookie: pages without TLS have no Cookie Store API
  document.cookie = `${PREFIX}${name}=${value ?? ''}; Max-Age=${max_age}; ${RIGHTS}`
}
