import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { CaptchaAction } from './captcha-client.ts'
import type { Client } from './client.ts'

/**
 * Requires a solved captcha if one is configured. Throws 400 if it is missing, wrong or of another form, and 503 if it cannot be
 * verified.
 */
export async function requireCaptcha(
  deps: Deps,
  token: string | undefined,
  action: CaptchaAction,
  client: Client,
): Promise<void> {
  const { captcha } = deps
  if (captcha === null) return
  if (token === undefined || token === '') throw new ApiError('captcha_required')
  const solved = await captcha.isSolved(token, action, client.address).catch((cause) => {
    deps.defer(Promise.reject(new Error('the captcha provider could not be reached', { cause })))
    throw new ApiError('captcha_unavailable')
  })
  if (!solved) throw new ApiError('captcha_rejected')
}
