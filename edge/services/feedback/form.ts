import type { Deps } from '../../deps.ts'
import { makeFormToken, readFormAge } from '../../integrations/form-token.ts'
import { FORM_AGE_MS, findScriptSign } from '../../rules/feedback.ts'
import { ApiError } from '../api-error.ts'

/** What a form carries from the moment it is shown. Specification: Public and intake, feedback. */
export function openForm({ env, clock }: Deps) {
  const form_token = makeFormToken(env.SESSION_KEYS, clock.now())
  return { form_token, not_before_seconds: FORM_AGE_MS.min / 1000, expires_in: FORM_AGE_MS.max / 1000 }
}

/** Throws 401 for what no person in a browser sent from a form of this site. */
export function requireBrowser({ env, clock }: Deps, token: string | undefined, headers: Headers): void {
  const signs = {
    origin: headers.get('origin'),
    fetch_site: headers.get('sec-fetch-site'),
    form_age_ms: token === undefined ? null : readFormAge(env.SESSION_KEYS, token, clock.now()),
  }
  const sign = findScriptSign(signs, new URL(env.PUBLIC_URL).origin)
  if (sign !== null) throw new ApiError(401, sign)
}
