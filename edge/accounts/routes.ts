import { route } from '../http/route.ts'
import { checkEmail } from './check-email.ts'
import { readClient } from './client.ts'
import { answerSignedIn, readDeviceToken } from './device-cookie.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import {
  Account,
  EmailCheck,
  EmailCheckRequest,
  EmailStatus,
  LoginRequest,
  PasswordRequest,
  RegisterRequest,
  TokenResponse,
  Verified,
  VerifyRequest,
} from './schemas.ts'
import { sendCode } from './send-code.ts'
import { setPassword } from './set-password.ts'
import { showAccount } from './show.ts'
import { showEmailStatus } from './show-email-status.ts'
import { verifyCode } from './verify-code.ts'

const tag = 'Accounts and sign-in'

export const accountRoutes = [
  route({
    method: 'post',
    path: '/api/v1/auth/register',
    access: 'none',
    tag,
    summary: 'Open an account',
    description: 'The account is unverified and usable at once; the daily free allowance lands with it.',
    body: RegisterRequest,
    answer: { status: 201, description: 'The account, signed in', schema: TokenResponse },
    errors: {
      400: 'The captcha is missing or was not solved',
      403: 'No accounts are being opened at the moment',
      409: 'The address has an account already',
      429: 'Too many registrations from this network',
      503: 'The captcha cannot be checked',
    },
    handle: async ({ deps, body, headers, url }) =>
      answerSignedIn(deps, await register(deps, body, readClient(headers)), { status: 201, url }),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/login',
    access: 'none',
    tag,
    summary: 'Sign in with e-mail address and password',
    description:
      'Failed sign-ins are counted for 15 minutes: by network, by account and network together, and by account. ' +
      'A browser that has signed in to the account before is known by a cookie and has a count of its own, so that ' +
      'strangers who guess at the password do not lock the owner out.',
    body: LoginRequest,
    answer: { status: 200, description: 'A session token', schema: TokenResponse },
    errors: {
      400: 'The captcha is missing or was not solved',
      401: 'Wrong address or password',
      403: 'The account is blocked',
      429: 'Too many failures for this address or from this network',
      503: 'The captcha cannot be checked',
    },
    handle: async ({ deps, body, headers, url }) => {
      const device = readDeviceToken(headers, url, body.email)
      return answerSignedIn(deps, await login(deps, body, readClient(headers), device), { status: 200, url })
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/me',
    access: 'session',
    tag,
    summary: 'The signed-in account',
    answer: { status: 200, description: 'The account', schema: Account },
    handle: ({ deps, caller }) => showAccount(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/password',
    access: 'session',
    tag,
    summary: 'Set a password',
    description: 'Every other session of the account ends; this one goes on.',
    body: PasswordRequest,
    answer: { status: 200, description: 'The account', schema: Account },
    errors: {
      400: 'The current password is missing or wrong',
      409: 'It was changed meanwhile',
      429: 'Too many wrong passwords',
    },
    handle: ({ deps, caller, body }) => setPassword(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/check',
    access: 'none',
    tag,
    summary: 'Whether letters to an address can arrive',
    description: 'Tells nothing of whether it has an account.',
    body: EmailCheckRequest,
    answer: { status: 200, description: 'The verdict', schema: EmailCheck },
    handle: ({ deps, body }) => checkEmail(deps, body.email),
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/email/status',
    access: 'session',
    tag,
    summary: 'Whether the address is confirmed',
    answer: { status: 200, description: 'The state of the confirmation', schema: EmailStatus },
    handle: ({ deps, caller }) => showEmailStatus(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/send-code',
    access: 'session',
    tag,
    summary: 'Mail a 6-digit code to the address of the account',
    description: 'A code is good for 15 minutes. One a minute and five in 24 hours are sent.',
    answer: { status: 200, description: 'The state of the confirmation', schema: EmailStatus },
    errors: {
      409: 'The address is confirmed already',
      429: 'It is too early for another code',
      503: 'No codes are sent at the moment',
    },
    handle: ({ deps, caller }) => sendCode(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/verify',
    access: 'session',
    tag,
    summary: 'Confirm the address by its code',
    description:
      'Pays the welcome grant, once, and subscribes the account to letters on its jobs and on the product.',
    body: VerifyRequest,
    answer: { status: 200, description: 'The address is confirmed', schema: Verified },
    errors: { 400: 'A wrong code, or none is out', 429: 'The guesses at this code are used up' },
    handle: ({ deps, caller, body }) => verifyCode(deps, caller, body.code),
  }),
]
