import { z } from 'zod'
import type { Client } from '../accounts/client.ts'
import { requireCaptcha } from '../accounts/require-captcha.ts'
import { countUse, passwordResetThrottles } from '../accounts/throttle.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { LINK_LIVES_MS } from './rules/reset-link.ts'

/** A requested reset, as the outbox stores it. */
export const RequestedReset = z.object({ email_key: z.string(), expires_at: z.number() })

/**
 * Requests an email with a link that sets a new password. Does the same work for every address, so neither the
 * response nor its time reveals whether there is an account: the account is looked up later, by the outbox. Throws
 * 400 if the captcha is missing or wrong, 429 after too many requests, and 503 if email is unavailable.
 * Contract: Accounts, Password reset.
 */
export async function requestReset(
  deps: Deps,
  { email, captcha_token }: { email: string; captcha_token?: string | undefined },
  client: Client,
) {
  if (deps.mailer === null) throw new ApiError('password_reset_unavailable')
  await requireCaptcha(deps, captcha_token, 'reset', client)
  const settings = await loadSettings(deps.db, deps.clock.now())
  const email_key = email.toLowerCase()
  for (const throttle of passwordResetThrottles(client.subject, email_key, settings)) {
    await countUse(deps, throttle)
  }
  return unitOfWork(deps, {
    load: async () => crypto.randomUUID(),
    decide: (id, now) => ({
      effects: [
        {
          id: `password-reset:${id}`,
          kind: 'password_reset',
          payload: { email_key, expires_at: now + LINK_LIVES_MS } satisfies z.infer<typeof RequestedReset>,
        },
      ],
      answer: { link_lives_seconds: LINK_LIVES_MS / 1000 },
    }),
  })
}
