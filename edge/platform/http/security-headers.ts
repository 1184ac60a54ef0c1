/** Content-Security-Policy of responses that are not pages: browsers may not run, load or frame anything. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

const PAGE = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/**
 * Returns the Content-Security-Policy of a page.
 * @param more directives that replace the defaults for this page.
 */
export function pagePolicy(more: Partial<Record<keyof typeof PAGE | 'media-src', string>> = {}): string {
  const directives = Object.entries({ ...PAGE, ...more })
  return directives.map(([name, sources]) => `${name} ${sources}`).join('; ')
}

/** Returns the security headers of a response; its own Content-Security-Policy takes precedence over the default. */
export function securityHeaders(answer: Headers): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': answer.get('content-security-policy') ?? NO_PAGE,
  }
}
