import { pagePolicy } from '../platform/http/security-headers.ts'

/** Where Turnstile loads its script and its frame from. */
const CAPTCHA_ORIGIN = 'https://challenges.cloudflare.com'

/**
 * The style element that wavesurfer.js adds to its shadow root (web/editors/clip/draw-waveform.ts). A hash allows this
 * text and no other. dev/waveform-style.test.ts compares it to the library.
 */
export const WAVEFORM_STYLE = 'sha256-2cHChcmI1cr3M2aQDxglqd7HrZKc0dHGuGHg6PPxm80='

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
    'style-src': `'self' '${WAVEFORM_STYLE}'`,
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob:",
    ...(CAPTCHA_SITE_KEY && { 'script-src': `'self' ${CAPTCHA_ORIGIN}`, 'frame-src': CAPTCHA_ORIGIN }),
  })
}
