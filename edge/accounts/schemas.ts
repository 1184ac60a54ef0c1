import { z } from '@hono/zod-openapi'
import { LOCALES } from '../../shared/text/texts.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { isSitePath } from '../identity/rules/sign-in.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { CODE_DIGITS } from './rules/confirmation-codes.ts'
import { VERDICTS } from './rules/email-address.ts'
import { isWeakPassword, PASSWORD_LENGTH } from './rules/passwords.ts'

export const Timestamp = z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' })

export const Account = z
  .object({
    id: z.int(),
    email: z.string(),
    full_name: z.string().nullable(),
    email_verified: z.boolean().describe('True after the emailed code was accepted'),
    has_password: z.boolean(),
    idp_linked: z.boolean(),
    is_admin: z.boolean(),
    payments_enabled: z.boolean(),
    tier: z.enum(['free', 'paid']),
    plan_name: z.string().nullable(),
    locale: z.enum(LOCALES),
    created_at: Timestamp,
  })
  .openapi('Account')

export const captcha_token = z
  .string()
  .max(4096)
  .optional()
  .describe('Required if the public config has a `captcha_site_key`')
/** Accepts any text. The use case validates the address after checking the rate limits and the captcha. */
export const typedEmail = z.string().max(1000).overwrite(asciiEmail)
export const newPassword = z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max)

export const RegisterRequest = z
  .strictObject({
    email: typedEmail.openapi({ format: 'email' }),
    password: newPassword,
    full_name: plainText(200).optional(),
    captcha_token,
  })
  .superRefine(({ email, password }, context) => {
    // At this point, the email address is in ASCII form, so the password is converted before the comparison.
    if (isWeakPassword(asciiEmail(password), email)) {
      context.addIssue({ code: 'custom', path: ['password'], ...schemaFault('weak_password') })
    }
  })
  .openapi('RegisterRequest')

export const LoginRequest = z
  .strictObject({
    email: z.string().min(1).max(254).overwrite(asciiEmail),
    password: z.string().min(1).max(PASSWORD_LENGTH.max),
    captcha_token,
  })
  .openapi('LoginRequest')

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Send it as `Authorization: Bearer`'),
    token_type: z.literal('bearer'),
    expires_at: Timestamp,
    user: Account,
  })
  .openapi('TokenResponse')

export const PasswordRequest = z
  .strictObject({
    current_password: z
      .string()
      .max(PASSWORD_LENGTH.max)
      .optional()
      .describe('Required if the account has a password'),
    new_password: newPassword,
  })
  .openapi('PasswordRequest')

export const EmailCheckRequest = z.strictObject({ email: typedEmail }).openapi('EmailCheckRequest')

export const EmailCheck = z
  .object({
    acceptable: z.boolean(),
    verdict: z
      .enum(VERDICTS)
      .describe('`unknown`: the name servers did not respond; registration still accepts the address'),
  })
  .openapi('EmailCheck')

export const EmailStatus = z
  .object({
    email: z.string(),
    email_verified: z.boolean(),
    code_pending: z.boolean().describe('True while a sent code can be entered'),
    resend_available_in: z.int().describe('Seconds until another code can be sent'),
    verify_bonus_credits: z.int().describe('Credits granted on verification'),
  })
  .openapi('VerifyStateResponse')

export const VerifyRequest = z
  .strictObject({ code: z.string().regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), 'a code is six digits') })
  .openapi('VerifyRequest')

export const Verified = z
  .object({ email_verified: z.boolean(), granted_credits: z.int() })
  .openapi('Verified')

export const IdpStartRequest = z
  .strictObject({
    next: z
      .string()
      .refine(isSitePath, schemaFault('not_a_site_path'))
      .default('/')
      .describe('Path to continue at after sign-in; the callback and the link return it'),
    mode: z
      .enum(['login', 'link'])
      .default('login')
      .describe('`login` signs in or registers; `link` adds the identity to the signed-in account'),
  })
  .openapi('IdpStartRequest')

export const IdpStarted = z
  .object({ authorization_url: z.url().describe('Redirect the user to this URL') })
  .openapi('IdpStarted')

export const IdpAnswer = z
  .strictObject({
    code: z.string().min(1).max(4096),
    state: z.string().min(1).max(512),
  })
  .openapi('IdpAnswer')

export const IdpTokenResponse = TokenResponse.extend({
  created: z.boolean().describe('True if this sign-in created the account'),
  next: z.string(),
}).openapi('IdpTokenResponse')

export const IdpLinkResponse = Account.extend({ next: z.string() }).openapi('IdpLinkResponse')

export const Ping = z
  .object({
    ok: z.literal(true),
    auth: z.enum(['session', 'key']),
    account_id: z.int(),
    email: z.string(),
    balance: z.int(),
    key: z
      .object({ id: z.int(), name: z.string().nullable(), max_per_day: z.int(), used_today: z.int() })
      .nullable(),
  })
  .openapi('PingOut')
