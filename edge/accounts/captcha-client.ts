import { z } from 'zod'
import type { Env } from '../env.ts'

const TIMEOUT_MS = 5000

const Verification = z.object({ success: z.boolean() })

export interface Captcha {
  /** Verifies a captcha token with Turnstile; each token works once. Throws if Turnstile is unavailable. */
  isSolved(token: string, clientAddress: string | null): Promise<boolean>
}

/** @returns null if no captcha is configured, in which case none is required. */
export function openCaptcha(env: Pick<Env, 'CAPTCHA_SECRET_KEY' | 'CAPTCHA_VERIFY_URL'>): Captcha | null {
  const { CAPTCHA_SECRET_KEY: secret, CAPTCHA_VERIFY_URL: url } = env
  if (secret === undefined) return null
  return {
    async isSolved(token, clientAddress) {
      const body = new URLSearchParams({ secret, response: token })
      if (clientAddress !== null) body.set('remoteip', clientAddress)
      const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`the captcha provider responded with ${response.status}`)
      }
      return Verification.parse(await response.json()).success
    },
  }
}
