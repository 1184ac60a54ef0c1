import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { loadSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { hashAddress, hashMailbox } from './address-hash.ts'
import { beginSession } from './begin-session.ts'
import { judgeEmail } from './check-email.ts'
import type { Client } from './client.ts'
import { hashPassword } from './password-hash.ts'
import { placeNewAccount } from './place-account.ts'
import { insertAccount, type NewAccount, toCallerAccount } from './queries.ts'
import { requireCaptcha } from './require-captcha.ts'
import { isAcceptable } from './rules/email-address.ts'
import { countUses, giveUsesBack, registrationAttemptThrottles, registrationThrottles } from './throttle.ts'

interface Registration {
  email: string
  password: string
  full_name?: string | undefined
  captcha_token?: string | undefined
}

const FAULTS = {
  invalid: 'invalid_email',
  no_domain: 'email_domain_unreachable',
  disposable: 'disposable_email',
} as const

/**
 * Creates an unverified account with its first daily allowance. Throws 403 while registration is disabled, 400 if
 * the captcha is missing or wrong, 422 for an unusable address, 409 for a registered one, and 429 after too many
 * registrations. Contract: Accounts, Registration.
 */
export async function register(deps: Deps, registration: Registration, client: Client) {
  const { email, password, full_name, captcha_token } = registration
  const settings = await loadSettings(deps.db, deps.clock.now())
  requireRegistrationOpen(settings)
  await requireCaptcha(deps, captcha_token, 'register', client)
  const { own, row } = await countOpened(deps, settings, client, async () => {
    const verdict = await judgeEmail(deps, email)
    if (!isAcceptable(verdict)) throw invalidField('email', FAULTS[verdict])
    const own = await placeNewAccount(deps, email)
    const row = await openAccount(own, {
      email,
      fullName: full_name ?? null,
      passwordHash: await hashPassword(password),
      locale: client.locale,
    })
    if (row === null) throw new ApiError('email_already_registered')
    return { own, row }
  })
  return beginSession(own, toCallerAccount(row), row, client)
}

/** Counts registrations per network: each attempt and each account that `open` creates. Throws 429. */
export async function countOpened<Opened>(
  deps: Deps,
  limits: Pick<Settings, 'registrations_per_hour_per_ip' | 'registration_attempts_per_hour_per_ip'>,
  { subject }: Pick<Client, 'subject'>,
  open: () => Promise<Opened>,
): Promise<Opened> {
  await countUses(deps, registrationAttemptThrottles(subject, limits.registration_attempts_per_hour_per_ip))
  const counted = await countUses(deps, registrationThrottles(subject, limits.registrations_per_hour_per_ip))
  try {
    return await open()
  } catch (error) {
    await giveUsesBack(deps, counted)
    throw error
  }
}

export function requireRegistrationOpen({ registration_enabled }: Settings): void {
  if (!registration_enabled) throw new ApiError('registration_disabled')
}

/**
 * Creates an account with its first daily allowance, which an address does not receive again within a day of
 * deleting its account. All accounts are created here.
 * @returns null if the address or the identity already has an account.
 */
export async function openAccount(
  deps: Deps,
  account: Omit<NewAccount, 'emailKey' | 'addressHash' | 'mailboxHashes' | 'isAdmin' | 'createdAt'>,
) {
  const emailKey = account.email.toLowerCase()
  const row = await insertAccount(deps.db, {
    ...account,
    emailKey,
    addressHash: hashAddress(deps.env, emailKey),
    mailboxHashes: hashMailbox(deps.env, emailKey),
    // In other environments, the role requires a verified address, because anyone can register with any address.
    isAdmin: deps.env.ENVIRONMENT === 'local' && deps.env.ADMIN_EMAILS.includes(emailKey),
    createdAt: deps.clock.now(),
  })
  if (row !== null) await settleAccount(deps, row.id)
  return row
}
