import type { Deps } from '../deps.ts'
import { makeDatedToken, readTokenAge } from '../platform/crypto/dated-token.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { FORM_AGE_MS, type FormSigns, findScriptSign } from './rules/spam.ts'

const PURPOSE = 'feedback form'

/** Issues a form token when the form is displayed. Contract: Public endpoints, Feedback. */
export function openForm({ env, clock }: Pick<Deps, 'env' | 'clock'>) {
  const form_token = makeDatedToken(env.SESSION_KEYS, PURPOSE, clock.now())
  return { form_token, not_before_seconds: FORM_AGE_MS.min / 1000, expires_in: FORM_AGE_MS.max / 1000 }
}

/** Throws 401 unless a browser sent the message from this site's form. */
export function requireBrowser(
  { env, clock }: Deps,
  token: string | undefined,
  { origin, fetch_site }: Pick<FormSigns, 'origin' | 'fetch_site'>,
): void {
  const signs = {
    origin,
    fetch_site,
    form_age_ms: token === undefined ? null : readTokenAge(env.SESSION_KEYS, PURPOSE, token, clock.now()),
  }
  const sign = findScriptSign(signs, new URL(env.PUBLIC_URL).origin)
  if (sign !== null) throw new ApiError(sign)
}
