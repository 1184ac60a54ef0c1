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

/** Features of browsers that no page uses. A script that got in could not turn them on. */
const UNUSED_FEATURES = [
  ...[
    'accelerometer',
    'bluetooth',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
  ],
  ...['microphone', 'midi', 'payment', 'serial', 'usb'],
]

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  // Sign-in and checkout leave the page, so no page needs a window that it has opened.
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Browsers ignore this header without TLS (RFC 6797, 8.1). */
const OVER_TLS = { 'Strict-Transport-Security': 'max-age=31536000' }

/** Returns the security headers of a response; its own Content-Security-Policy takes precedence over the default. */
export function securityHeaders(url: string, answer: Headers): Record<string, string> {
  return {
    ...HEADERS,
    ...(url.startsWith('https:') ? OVER_TLS : {}),
    'Content-Security-Policy': answer.get('content-security-policy') ?? NO_PAGE,
  }
}
