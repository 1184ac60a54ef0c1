import { readClient } from '../accounts/client.ts'
import { answerSignedIn } from '../accounts/device-cookie.ts'
import {
  Account,
  IdpAnswer,
  IdpLinkResponse,
  IdpStarted,
  IdpStartRequest,
  IdpTokenResponse,
} from '../accounts/schemas.ts'
import { route } from '../http/route.ts'
import { answerWithBrowserSecret, readBrowser } from '../platform/http/browser.ts'
import { linkIdentity, unlink } from './link.ts'
import { signInByIdentity } from './sign-in.ts'
import { startIdpSignIn } from './start.ts'

const tag = 'Accounts and sign-in'
const PATH = '/api/v1/auth/idp'

const notOffered = { 404: 'No identity provider is offered here' }
const providerErrors = {
  400: 'The sign-in is unknown, was finished before, or the provider did not confirm it',
  ...notOffered,
  502: 'The identity provider cannot be reached',
}

export const identityRoutes = [
  route({
    method: 'post',
    path: `${PATH}/start`,
    access: 'none',
    tag,
    summary: 'Begin a sign-in at the identity provider',
    description:
      'The provider sends the person back with `code` and `state`, which go to the callback, or to the link: `state` ' +
      'begins with the mode and a full stop. The page /auth/callback here finishes both; it links to the account ' +
      'whose session token is in `sessionStorage` as `access_token`. ' +
      'A browser, which any request with Sec-Fetch-Site or Origin comes from, finishes only what it began itself: ' +
      'it is known by a cookie. Send the session token with `mode` `link`: no other session can then finish the link.',
    body: IdpStartRequest,
    answer: { status: 200, description: 'Where the person signs in', schema: IdpStarted },
    errors: { ...notOffered, 502: 'The identity provider cannot be reached' },
    handle: async ({ deps, body, headers, url, findCallerNow }) => {
      const caller = await findCallerNow()
      const session_id = caller?.kind === 'session' ? caller.session_id : null
      const beginner = { browser: readBrowser(headers, url), session_id }
      const { authorization_url, secret, lives_seconds } = await startIdpSignIn(deps, body, beginner)
      return answerWithBrowserSecret({ authorization_url }, { secret, lives_seconds }, url)
    },
  }),
  route({
    method: 'post',
    path: `${PATH}/callback`,
    access: 'none',
    tag,
    summary: 'Sign in by what the identity provider sent back',
    description: 'Opens an account where there is none; its address is confirmed by the provider.',
    body: IdpAnswer,
    answer: { status: 200, description: 'A session token', schema: IdpTokenResponse },
    errors: {
      ...providerErrors,
      403: 'The account is blocked, the address not verified, or no accounts are being opened',
      409: 'The account of this address is linked to another identity',
      429: 'Too many registrations from this network',
    },
    handle: async ({ deps, body, headers, url }) => {
      const answer = { ...body, browser: readBrowser(headers, url) }
      return answerSignedIn(deps, await signInByIdentity(deps, answer, readClient(headers)), {
        status: 200,
        url,
      })
    },
  }),
  route({
    method: 'post',
    path: `${PATH}/link`,
    access: 'session',
    tag,
    summary: 'Link the account to an identity',
    body: IdpAnswer,
    answer: { status: 200, description: 'The account', schema: IdpLinkResponse },
    errors: { ...providerErrors, 409: 'The identity or the account is linked otherwise' },
    handle: ({ deps, caller, body, headers, url }) =>
      linkIdentity(deps, caller, { ...body, browser: readBrowser(headers, url) }),
  }),
  route({
    method: 'delete',
    path: `${PATH}/link`,
    access: 'session',
    tag,
    summary: 'Unlink the account from its identity',
    answer: { status: 200, description: 'The account', schema: Account },
    errors: { 409: 'It is the only way to sign in' },
    handle: ({ deps, caller }) => unlink(deps, caller),
  }),
]
