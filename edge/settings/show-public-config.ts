import type { Deps } from '../deps.ts'
import { isFeedbackOpen } from '../feedback/relay.ts'
import { loadSettings } from './queries.ts'
import { publicConfigOf } from './rules/public-config.ts'

/**
 * Returns the public config, which clients request first. Reads only the settings. Contract: Public endpoints,
 * Public config.
 */
export async function showPublicConfig(deps: Deps) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const { CAPTCHA_SITE_KEY, MAX_UPLOAD_GB } = deps.env
  return publicConfigOf(settings, {
    mail: deps.mailer !== null,
    identity_provider: deps.identityProvider !== null,
    feedback: isFeedbackOpen(deps),
    captcha_site_key: deps.captcha === null ? null : (CAPTCHA_SITE_KEY ?? null),
    max_upload_gb: MAX_UPLOAD_GB,
    mandates: deps.payments.some(({ holds_mandates }) => holds_mandates),
  })
}
