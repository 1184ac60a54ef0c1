import { z } from '@hono/zod-openapi'
import { isWeakPassword, PASSWORD_LENGTH } from '../rules/passwords.ts'

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
    locale: z.enum(['en', 'uk', 'ru']),
    created_at: Timestamp,
  })
  .openapi('Account')

const email = z.email('not an e-mail address').max(254)
const captcha_token = z.string().max(4096).optional()

export const RegisterRequest = z
  .object({
    email,
    password: z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max),
    full_name: z.string().trim().min(1).max(200).optional(),
    captcha_token,
  })
  .superRefine(({ email, password }, context) => {
    if (isWeakPassword(password, email)) {
      const message = 'too easy to guess: it is among the commonest passwords, or it is the address'
      context.addIssue({ code: 'custom', path: ['password'], message })
    }
  })
  .openapi('RegisterRequest')

export const LoginRequest = z
  .object({
    email: z.string().min(1).max(254),
    password: z.string().min(1).max(PASSWORD_LENGTH.max),
    captcha_token,
  })
  .openapi('LoginRequest')

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Send it as Authorization: Bearer'),
    token_type: z.literal('bearer'),
    expires_at: Timestamp,
    user: Account,
  })
  .openapi('TokenResponse')

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
