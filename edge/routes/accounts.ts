import { Account, LoginRequest, Ping, RegisterRequest, TokenResponse } from '../contract/account.ts'
import { route } from '../http/route.ts'
import { login } from '../services/accounts/login.ts'
import { register } from '../services/accounts/register.ts'
import { viewAccount } from '../services/accounts/view.ts'
import { ping } from '../services/credits/balance.ts'

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
    errors: { 409: 'The address has an account already' },
    handle: ({ deps, body }) => register(deps, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/auth/login',
    access: 'none',
    tag,
    summary: 'Sign in with e-mail address and password',
    body: LoginRequest,
    answer: { status: 200, description: 'A session token', schema: TokenResponse },
    errors: { 401: 'Wrong address or password', 403: 'The account is blocked' },
    handle: ({ deps, body }) => login(deps, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/auth/me',
    access: 'session',
    tag,
    summary: 'The signed-in account',
    answer: { status: 200, description: 'The account', schema: Account },
    handle: async ({ caller }) => viewAccount(caller.account),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/ping',
    access: 'either',
    tag: 'Caller info',
    summary: 'Verify a key and read its balance; spends nothing',
    answer: { status: 200, description: 'The credential is good', schema: Ping },
    handle: ({ deps, caller }) => ping(deps, caller),
  }),
]
