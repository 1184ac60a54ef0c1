import { pagePolicy } from '../platform/http/security-headers.ts'

/** Where Turnstile loads its script and its frame from. */
const CAPTCHA_ORIGIN = 'https://challenges.cloudflare.com'

interface PolicySettings {
  S3_ENDPOINT: string
  CAPTCHA_SITE_KEY?: string | undefined
}

/**
 * Returns the Content-Security-Policy of the web application. Its pages upload to storage, and show files of the user
 * before they are uploaded (blob:). A script of another origin runs only if the captcha is configured.
 */
export function webAppPolicy({ S3_ENDPOINT, CAPTCHA_SITE_KEY }: PolicySettings): string {
  return pagePolicy({
    'connect-src': `'self' ${new URL(S3_ENDPOINT).origin}`,
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob:",
    ...(CAPTCHA_SITE_KEY && { 'script-src': `'self' ${CAPTCHA_ORIGIN}`, 'frame-src': CAPTCHA_ORIGIN }),
  })
}
