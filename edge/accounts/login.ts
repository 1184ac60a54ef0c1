import type { Deps } from '../deps.ts'
import { replaceHash } from '../identity/queries.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import { assignAdministrator } from './assign-administrator.ts'
import { beginSession } from './begin-session.ts'
import type { Client } from './client.ts'
import { isDeviceOf } from './device-token.ts'
import { hashPassword, isOutdated, isPassword } from './password-hash.ts'
import { type AccountRow, findAccountByEmail, loadCallerAccount } from './queries.ts'
import { requireCaptcha } from './require-captcha.ts'
import { countUses, deviceThrottles, giveUsesBack, loginThrottles } from './throttle.ts'

interface Attempt {
  email: string
  password: string
  captcha_token?: string | undefined
}

/**
 * Signs in with a password. Throws 400 if the captcha is missing or wrong, and 429 after too many failures. For an
 * unknown address, does the same work as for a wrong password and throws the same 401. Contract: Accounts, Login.
 * @param deviceToken from an earlier sign-in to this account in this browser.
 */
export async function login(
  deps: Deps,
  { email, password, captcha_token }: Attempt,
  client: Client,
  deviceToken: string | null = null,
) {
  const emailKey = email.toLowerCase()
  await requireCaptcha(deps, captcha_token, 'login', client)
  const settings = await loadSettings(deps.db, deps.clock.now())
  const find = () => findAnywhere(deps, ({ db }) => findAccountByEmail(db, emailKey))
  const claimed = deviceToken === null ? null : await find()
  const isKnownDevice = claimed !== null && isDeviceOf(deps, claimed.found, deviceToken ?? '')
  const throttles = isKnownDevice
    ? deviceThrottles(claimed.found.publicKey, client.subject, emailKey, settings)
    : loginThrottles(client.subject, emailKey, settings)
  const counted = await countUses(deps, throttles)
  const place = claimed ?? (await find())
  const row = place?.found
  const right = await isPassword(password, row?.passwordHash ?? null)
  if (place === null || row === undefined || !right) throw new ApiError('invalid_credentials')
  await giveUsesBack(deps, counted)
  requireNotBlocked(row)
  const own = place.deps
  const account = await assignAdministrator(own, row)
  if (row.passwordHash !== null && isOutdated(row.passwordHash)) {
    deps.defer(strengthenHash(own, row.id, row.passwordHash, password))
  }
  return beginSession(own, await loadCallerAccount(own.db, account), account, client)
}

export function requireNotBlocked({ blockedAt }: AccountRow): void {
  if (blockedAt !== null) throw new ApiError('account_blocked')
}

/**
 * Rehashes the password with the current parameters. This happens only after a successful sign-in, because only
 * then is the password known. Until the hash is replaced, rejecting a wrong password takes a different amount of
 * time than rejecting an unknown address.
 */
async function strengthenHash(deps: Deps, id: number, old: string, password: string): Promise<void> {
  await replaceHash(deps.db, id, old, await hashPassword(password))
}
