import { z } from '@hono/zod-openapi'
import { isSitePath } from '../../shared/text/site-path.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { emailAddress, idOf, numberOf } from '../platform/http/schemas/common-fields.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { CODE_DIGITS } from './rules/confirmation-codes.ts'
import { EmailAddress, VERDICTS } from './rules/email-address.ts'
import { isWeakPassword, PASSWORD_LENGTH } from './rules/passwords.ts'

export const Timestamp = z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' })

export const Account = z
  .object({
    id: numberOf('account'),
    email: emailAddress,
    full_name: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the owner; null if not given', example: 'Ada Lovelace' }),
    email_verified: z
      .boolean()
      .openapi({ description: 'True after the emailed code was accepted', example: true }),
    has_password: z
      .boolean()
      .openapi({ description: 'True if the owner can sign in with a password', example: true }),
    idp_linked: z
      .boolean()
      .openapi({ description: 'True if the owner can sign in with an identity provider', example: false }),
    is_admin: z.boolean().openapi({ description: 'True for administrators', example: false }),
    payments_enabled: z
      .boolean()
      .openapi({ description: 'True if the account may buy plans and packs', example: true }),
    tier: z.enum(['free', 'paid']).describe('`paid` while a plan is active'),
    plan_name: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the active plan; null without one', example: null }),
    locale: z.enum(LOCALES).describe('Language of emails and of errors in webhooks'),
    created_at: Timestamp.describe('Time of registration'),
  })
  .openapi('Account')

export const AccountChange = z
  .strictObject({ locale: Account.shape.locale.optional() })
  .openapi('AccountChange', { example: { locale: 'uk' } })

export const captcha_token = z.string().max(4096).optional().openapi({
  description: 'Answer of the captcha. Required if the public config has a `captcha_site_key`',
  example: '0.zrSnRHO7h0HwSjSCU8oyzbjEtD8p',
})
/** Accepts any text. The use case validates the address after checking the rate limits and the captcha. */
export const typedEmail = z
  .string()
  .max(1000)
  .overwrite(asciiEmail)
  .openapi({ description: 'Email address', example: 'ada@example.com' })
const PASSWORD = 'a horse that counts to nine'
export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.min)
  .max(PASSWORD_LENGTH.max)
  .openapi({ description: 'New password; neither a common one nor the email address', example: PASSWORD })

export const RegisterRequest = z
  .strictObject({
    email: typedEmail.openapi({ format: 'email' }),
    password: newPassword,
    full_name: plainText(200)
      .optional()
      .openapi({ description: 'Name of the owner', example: 'Ada Lovelace' }),
    captcha_token,
  })
  .superRefine(({ email, password }, context) => {
    // At this point, the email address is in ASCII form, so the password is converted before the comparison.
    if (isWeakPassword(asciiEmail(password), email)) {
      context.addIssue({ code: 'custom', path: ['password'], ...schemaFault('weak_password') })
    }
    // If the request is refused here, it lists a malformed address too. Otherwise the use case checks the address.
    const isListed = context.issues.some(({ path = [] }) => path[0] === 'email')
    if (context.issues.length > 0 && !isListed && !EmailAddress.safeParse(email).success) {
      context.addIssue({ code: 'custom', path: ['email'], ...schemaFault('invalid_email') })
    }
  })
  .openapi('RegisterRequest')

export const LoginRequest = z
  .strictObject({
    email: z
      .string()
      .min(1)
      .max(254)
      .overwrite(asciiEmail)
      .openapi({ description: 'Email address of the account', example: 'ada@example.com' }),
    password: z
      .string()
      .min(1)
      .max(PASSWORD_LENGTH.max)
      .openapi({ description: 'Password of the account', example: PASSWORD }),
    captcha_token,
  })
  .openapi('LoginRequest')

export const TokenResponse = z
  .object({
    access_token: z.string().openapi({
      description: 'Send it as `Authorization: Bearer`',
      example: 'eyJhbGciOiJIUzI1NiJ9.e30.Et9HFtf9R3GEMA0IICOfFMVXY7kkTX1wr4qCyhIf58U',
    }),
    token_type: z.literal('bearer').describe('Always `bearer`'),
    expires_at: Timestamp.describe('End of the session'),
    user: Account.describe('The account'),
  })
  .openapi('TokenResponse')

export const Session = z
  .object({
    id: idOf('session'),
    device: z.string().nullable().openapi({
      description: 'Browser and system, or program, that signed in, as it names itself; null if unknown',
      example: 'Chrome on Windows',
    }),
    network: z.string().nullable().openapi({
      description:
        'Network of the sign-in: the /24 of an IPv4 or the /48 of an IPv6 address; null if unknown',
      example: '203.0.113.0/24',
    }),
    created_at: Timestamp.describe('Time of the sign-in'),
    last_used_at: Timestamp.describe('Time of a recent request, at most ten minutes before the last one'),
    expires_at: Timestamp.describe('End of the session'),
    is_current: z
      .boolean()
      .openapi({ description: 'True for the session that sent the request', example: true }),
  })
  .openapi('Session')

export const SessionPath = z.object({ id: z.string().min(1).max(64).describe('Id of the session') })

export const PasswordRequest = z
  .strictObject({
    current_password: z
      .string()
      .max(PASSWORD_LENGTH.max)
      .optional()
      .openapi({ description: 'Current password. Required if the account has one', example: PASSWORD }),
    new_password: newPassword.openapi({ example: 'nine geese by the river' }),
  })
  .openapi('PasswordRequest')

export const EmailCheckRequest = z.strictObject({ email: typedEmail }).openapi('EmailCheckRequest')

export const EmailCheck = z
  .object({
    acceptable: z.boolean().openapi({ description: 'True if the address can register', example: true }),
    verdict: z
      .enum(VERDICTS)
      .describe('`unknown`: the name servers did not respond; registration still accepts the address'),
  })
  .openapi('EmailCheck')

export const EmailStatus = z
  .object({
    email: Account.shape.email,
    email_verified: Account.shape.email_verified,
    code_pending: z
      .boolean()
      .openapi({ description: 'True while a sent code can be entered', example: true }),
    resend_available_in: z
      .int()
      .openapi({ description: 'Seconds until another code can be sent', example: 42 }),
    verify_bonus_credits: z.int().openapi({ description: 'Credits granted on verification', example: 50 }),
  })
  .openapi('VerifyStateResponse')

export const VerifyRequest = z
  .strictObject({
    code: z
      .string()
      .regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), 'a code is six digits')
      .openapi({ description: 'Code from the email', example: '482913' }),
  })
  .openapi('VerifyRequest')

export const Verified = z
  .object({
    email_verified: Account.shape.email_verified,
    granted_credits: z
      .int()
      .openapi({ description: 'Credits that were granted; 0 if they were before', example: 50 }),
  })
  .openapi('Verified')

const current_password = z.string().max(PASSWORD_LENGTH.max).optional().openapi({
  description: 'Current password. Required if the account has one and the sign-in was over 10 minutes ago',
  example: PASSWORD,
})

export const IdpUnlink = z.strictObject({ current_password }).openapi('IdpUnlink')

export const IdpStartRequest = z
  .strictObject({
    next: z.string().refine(isSitePath, schemaFault('not_a_site_path')).default('/').openapi({
      description: 'Path to continue at after sign-in; the callback and the link return it',
      example: '/studio',
    }),
    mode: z
      .enum(['login', 'link'])
      .default('login')
      .describe('`login` signs in or registers; `link` adds the identity to the signed-in account'),
    current_password: current_password.describe(
      'For `link`: current password. Required if the account has one and the sign-in was over 10 minutes ago',
    ),
  })
  .openapi('IdpStartRequest')

export const IdpStarted = z
  .object({
    authorization_url: z.url().openapi({
      description: 'Redirect the user to this URL',
      example: 'https://id.example.com/authorize?state=81f2',
    }),
  })
  .openapi('IdpStarted')

export const IdpAnswer = z
  .strictObject({
    code: z
      .string()
      .min(1)
      .max(4096)
      .openapi({ description: 'Parameter `code` of the callback', example: 'SplxlOBeZQQYbYS6WxSbIA' }),
    state: z
      .string()
      .min(1)
      .max(512)
      .openapi({ description: 'Parameter `state` of the callback', example: '81f2c0d5' }),
  })
  .openapi('IdpAnswer')

export const IdpLink = z.strictObject({ ...IdpAnswer.shape, current_password }).openapi('IdpLink')

// Derived from the fields: an extension of a strict schema is documented as one that refuses the new field.
export const IdpSignIn = z
  .strictObject({
    ...IdpAnswer.shape,
    locale: Account.shape.locale.optional().openapi({
      description:
        'Language that the user has chosen, for an account that this sign-in creates. Others keep theirs',
      example: 'uk',
    }),
  })
  .openapi('IdpSignIn')

const next = z.string().openapi({ description: 'Path to continue at', example: '/studio' })

export const IdpTokenResponse = TokenResponse.extend({
  created: z.boolean().openapi({ description: 'True if this sign-in created the account', example: false }),
  next,
}).openapi('IdpTokenResponse')

export const IdpLinkResponse = Account.extend({ next }).openapi('IdpLinkResponse')

export const Ping = z
  .object({
    ok: z.literal(true).describe('Always true: the credential is valid'),
    auth: z.enum(['session', 'key']).describe('Kind of the credential'),
    account_id: numberOf('account'),
    email: emailAddress,
    balance: z.int().openapi({ description: 'Credits of the account', example: 520 }),
    key: z
      .object({
        id: numberOf('key'),
        name: z
          .string()
          .nullable()
          .openapi({ description: 'Name of the key; null if it has none', example: 'Nightly import' }),
        max_per_day: z
          .int()
          .openapi({ description: 'Requests per day of the key; 0 is the server default', example: 1000 }),
        used_today: z.int().openapi({ description: 'Requests of the key today, in UTC', example: 12 }),
      })
      .nullable()
      .describe('The API key; null for a session'),
  })
  .openapi('PingOut')
