import { z } from 'zod'
import type { Env } from '../env.ts'

const TIMEOUT_MS = 5000

const Verification = z.object({
  success: z.boolean(),
  /** Host of the page that showed the captcha, and the form that it was for. */
  hostname: z.string().optional(),
  action: z.string().optional(),
})

/** The form that a captcha is for, which web/account/captcha.tsx names too. */
export type CaptchaAction = 'register' | 'login' | 'reset'

export interface Captcha {
  /**
   * Verifies with Turnstile that a token was solved on a page of this service for this form; each works once. Throws if
   * Turnstile is unavailable.
   */
  isSolved(token: string, action: CaptchaAction, clientAddress: string | null): Promise<boolean>
}

/** Turnstile's secret keys for tests, whose answers name no page. Deployments refuse them. */
const IS_TEST_KEY = /^[123]x0{10,}/

/** @returns null if no captcha is configured, in which case none is required. */
export function openCaptcha(
  env: Pick<Env, 'CAPTCHA_SECRET_KEY' | 'CAPTCHA_VERIFY_URL' | 'PUBLIC_URL'>,
): Captcha | null {
  const { CAPTCHA_SECRET_KEY: secret, CAPTCHA_VERIFY_URL: url } = env
  if (secret === undefined) return null
  const host = new URL(env.PUBLIC_URL).hostname
  return {
    async isSolved(token, action, clientAddress) {
      const body = new URLSearchParams({ secret, response: token })
      if (clientAddress !== null) body.set('remoteip', clientAddress)
      const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`the captcha provider responded with ${response.status}`)
      }
      const found = Verification.parse(await response.json())
      if (!found.success || IS_TEST_KEY.test(secret)) return found.success
      return found.hostname === host && found.action === action
    },
  }
}
