/** For answers that are no pages: a browser that is led to one runs, loads and frames nothing of it. */
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

/** The Content-Security-Policy of a page of ours. @param more directives that it needs wider. */
export function pagePolicy(more: Partial<typeof PAGE>): string {
  const directives = Object.entries({ ...PAGE, ...more })
  return directives.map(([name, sources]) => `${name} ${sources}`).join('; ')
}

/** What every answer carries, unless it has a stricter or a wider one of its own. */
export function securityHeaders(answer: Headers): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': answer.get('content-security-policy') ?? NO_PAGE,
  }
}
