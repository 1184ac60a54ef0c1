import { readClient } from '../accounts/client.ts'
import { answerSignedIn } from '../accounts/device-cookie.ts'
import { TokenResponse } from '../accounts/schemas.ts'
import { route } from '../http/route.ts'
import { requestReset } from './request-reset.ts'
import { resetPassword } from './reset-password.ts'
import { PasswordReset, ResetRequest, ResetRequested } from './schemas.ts'

const tag = 'Accounts and sign-in'

export const passwordResetRoutes = [
  route({
    method: 'post',
    path: '/api/v1/auth/password/reset-request',
    name: 'auth.requestPasswordReset',
    access: 'none',
    tag,
    summary: 'Email a link that sets a new password',
    description:
      'Every address gets the same response in the same time, whether it has an account or not. The link can be ' +
      'used once, within 30 minutes. At most one request per minute and five per day are accepted for ' +
      'an address from one network. While an account has three usable links, no further email is sent.',
    body: ResetRequest,
    answer: {
      status: 202,
      description: 'If the address has an account, an email is on its way',
      schema: ResetRequested,
    },
    errors: [
      'captcha_required',
      'captcha_rejected',
      'too_many_attempts',
      'password_reset_unavailable',
      'captcha_unavailable',
    ],
    handle: ({ deps, body, headers }) => requestReset(deps, body, readClient(headers)),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/password/reset',
    name: 'auth.resetPassword',
    access: 'none',
    tag,
    summary: 'Set a new password with the token of an emailed link',
    description: 'Signs in. Ends all other sessions and all other links of the account.',
    body: PasswordReset,
    answer: { status: 200, description: 'A session token', schema: TokenResponse },
    errors: ['password_reset_link_invalid', 'account_blocked', 'account_not_found'],
    handle: async ({ deps, body, headers, url }) =>
      answerSignedIn(deps, await resetPassword(deps, body, readClient(headers)), { status: 200, url }),
  }),
]
