import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { changeAccount } from './change-account.ts'
import { checkEmail } from './check-email.ts'
import { readClient } from './client.ts'
import { answerSignedIn, readDeviceToken } from './device-cookie.ts'
import { endAllSessions, endSession } from './end-session.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import {
  Account,
  AccountChange,
  EmailCheck,
  EmailCheckRequest,
  EmailStatus,
  LoginRequest,
  PasswordRequest,
  RegisterRequest,
  Session,
  SessionPath,
  TokenResponse,
  Verified,
  VerifyRequest,
} from './schemas.ts'
import { sendCode } from './send-code.ts'
import { setPassword } from './set-password.ts'
import { showAccount } from './show.ts'
import { showEmailStatus } from './show-email-status.ts'
import { showSessions } from './show-sessions.ts'
import { verifyCode } from './verify-code.ts'

const tag = 'Accounts and sign-in'

export const accountRoutes = [
  route({
    method: 'post',
    path: '/api/v1/auth/register',
    name: 'auth.register',
    access: 'none',
    tag,
    summary: 'Create an account',
    description:
      'The account starts unverified, can be used immediately, and includes the daily free allowance.',
    body: RegisterRequest,
    answer: { status: 201, description: 'The signed-in account', schema: TokenResponse },
    errors: [
      'captcha_required',
      'captcha_rejected',
      'registration_disabled',
      'email_already_registered',
      'too_many_attempts',
      'captcha_unavailable',
    ],
    handle: async ({ deps, body, headers, url }) =>
      answerSignedIn(deps, await register(deps, body, readClient(headers)), { status: 201, url }),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/login',
    name: 'auth.login',
    access: 'none',
    tag,
    summary: 'Sign in with email address and password',
    description:
      'Failed sign-ins are counted for 15 minutes per network, per account and network, and per account. A ' +
      'browser that has signed in to the account since the password was set is recognized by a cookie. All such ' +
      'browsers share one count, so that guesses from other networks do not lock out the owner.',
    body: LoginRequest,
    answer: { status: 200, description: 'A session token', schema: TokenResponse },
    errors: [
      'captcha_required',
      'captcha_rejected',
      'invalid_credentials',
      'account_blocked',
      'too_many_attempts',
      'captcha_unavailable',
    ],
    handle: async ({ deps, body, headers, url }) => {
      const device = readDeviceToken(headers, url, body.email)
      return answerSignedIn(deps, await login(deps, body, readClient(headers), device), { status: 200, url })
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/logout',
    name: 'auth.logout',
    access: 'session',
    tag,
    summary: 'Sign out: end this session',
    answer: { status: 204, description: 'The session has ended', schema: null },
    handle: ({ deps, caller }) => endSession(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/logout-all',
    name: 'auth.logoutAll',
    access: 'session',
    tag,
    summary: 'Sign out everywhere: end all sessions of the account',
    description: 'Ends this session too. API keys keep working.',
    answer: { status: 204, description: 'All sessions have ended', schema: null },
    handle: ({ deps, caller }) => endAllSessions(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/sessions',
    name: 'auth.listSessions',
    access: 'session',
    tag,
    summary: 'List the sessions: where the account is signed in',
    answer: { status: 200, description: 'The sessions, the last used first', schema: z.array(Session) },
    handle: ({ deps, caller }) => showSessions(deps, caller),
  }),
  route({
    method: 'delete',
    path: '/api/v1/auth/sessions/{id}',
    name: 'auth.endSession',
    access: 'session',
    tag,
    summary: 'End one session',
    description: 'The session can be this one. Its token is refused within five seconds.',
    params: SessionPath,
    answer: { status: 204, description: 'The session has ended', schema: null },
    errors: ['session_not_found'],
    handle: ({ deps, caller, path }) => endSession(deps, caller, path.id),
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/me',
    name: 'auth.me',
    access: 'session',
    forKeys: 'GET /api/v1/me/ping',
    tag,
    summary: 'Show the signed-in account',
    answer: { status: 200, description: 'The account', schema: Account },
    handle: ({ deps, caller }) => showAccount(deps, caller),
  }),
  route({
    method: 'patch',
    path: '/api/v1/auth/me',
    name: 'auth.updateAccount',
    access: 'session',
    tag,
    summary: 'Change the signed-in account',
    description: 'Sets the language of emails and webhooks. Omitted fields keep their values.',
    body: AccountChange,
    answer: { status: 200, description: 'The account', schema: Account },
    handle: ({ deps, caller, body }) => changeAccount(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/password',
    name: 'auth.setPassword',
    access: 'session',
    tag,
    summary: 'Set the password',
    description: 'Ends all other sessions of the account and keeps the current one.',
    body: PasswordRequest,
    answer: { status: 200, description: 'The account', schema: Account },
    errors: [
      'current_password_required',
      'wrong_current_password',
      'recent_sign_in_required',
      'password_change_conflict',
      'too_many_attempts',
    ],
    handle: ({ deps, caller, body }) => setPassword(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/check',
    name: 'auth.checkEmail',
    access: 'none',
    tag,
    summary: 'Check whether an email address can receive mail',
    description: 'The response does not reveal whether the address has an account.',
    body: EmailCheckRequest,
    answer: { status: 200, description: 'The verdict', schema: EmailCheck },
    handle: ({ deps, body }) => checkEmail(deps, body.email),
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/email/status',
    name: 'auth.getEmailStatus',
    access: 'session',
    tag,
    summary: 'Show whether the email address is verified',
    answer: { status: 200, description: 'The verification status', schema: EmailStatus },
    handle: ({ deps, caller }) => showEmailStatus(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/send-code',
    name: 'auth.sendEmailCode',
    access: 'session',
    tag,
    summary: 'Send a 6-digit code to the email address of the account',
    description:
      'A code expires after 15 minutes. At most one code per minute and five per 24 hours are sent.',
    answer: { status: 200, description: 'The verification status', schema: EmailStatus },
    errors: ['email_already_confirmed', 'too_many_attempts', 'email_confirmation_unavailable'],
    handle: ({ deps, caller }) => sendCode(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/email/verify',
    name: 'auth.verifyEmail',
    access: 'session',
    tag,
    summary: 'Verify the email address with a code',
    description:
      'Grants the welcome credits once, and subscribes the account to emails about its jobs and the product.',
    body: VerifyRequest,
    answer: { status: 200, description: 'The email address is verified', schema: Verified },
    errors: [
      'wrong_confirmation_code',
      'confirmation_code_expired',
      'account_not_found',
      'too_many_attempts',
    ],
    handle: ({ deps, caller, body }) => verifyCode(deps, caller, body.code),
  }),
]
