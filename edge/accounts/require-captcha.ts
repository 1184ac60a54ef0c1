import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Client } from './client.ts'

/** Throws 400 without a solved captcha, 503 when it can't be asked; does nothing where none is configured. */
export async function requireCaptcha(deps: Deps, token: string | undefined, client: Client): Promise<void> {
  const { captcha } = deps
  if (captcha === null) return
  if (token === undefined || token === '') throw new ApiError(400, 'captcha_token is missing')
  const solved = await captcha.isSolved(token, client.address).catch((cause) => {
    deps.defer(Promise.reject(new Error('the captcha could not be asked', { cause })))
    throw new ApiError(503, 'the captcha cannot be checked at the moment; please try again')
  })
  if (!solved) throw new ApiError(400, 'the captcha was not solved, or its token was used before')
}
