import { readClient } from '../accounts/client.ts'
import { answerSignedIn } from '../accounts/device-cookie.ts'
import { PROOF_ERRORS } from '../accounts/require-proof.ts'
import {
  Account,
  IdpLink,
  IdpLinkResponse,
  IdpSignIn,
  IdpStarted,
  IdpStartRequest,
  IdpTokenResponse,
  IdpUnlink,
} from '../accounts/schemas.ts'
import { route } from '../http/route.ts'
import { answerWithBrowserSecret, readBrowser } from '../platform/http/browser.ts'
import { linkIdentity, unlink } from './link.ts'
import { signInByIdentity } from './sign-in.ts'
import { startIdpSignIn } from './start.ts'

const tag = 'Accounts and sign-in'
const PATH = '/api/v1/auth/idp'

export const identityRoutes = [
  route({
    method: 'post',
    path: `${PATH}/start`,
    name: 'auth.startSignIn',
    access: 'none',
    tag,
    summary: 'Start a sign-in at the identity provider',
    description:
      'The provider redirects the user back with `code` and `state`; send both to the callback or to the ' +
      'link endpoint. `state` starts with the mode and a period. The page /auth/callback of this service ' +
      'finishes both modes; for a link it uses the session of its own pages. ' +
      'A cookie ties a sign-in to the browser that started it. Requests with Sec-Fetch-Site or Origin ' +
      'count as browsers. With `mode` `link`, send the session token: only the same session can finish the ' +
      'link.',
    body: IdpStartRequest,
    answer: { status: 200, description: 'The URL of the sign-in page of the provider', schema: IdpStarted },
    errors: [
      ...PROOF_ERRORS,
      'identity_rejected',
      'identity_provider_disabled',
      'identity_provider_unavailable',
    ],
    handle: async ({ deps, body, headers, url, findCallerNow }) => {
      const caller = await findCallerNow()
      const session = caller?.kind === 'session' ? caller : null
      const beginner = { browser: readBrowser(headers, url), session }
      const { authorization_url, secret, lives_seconds } = await startIdpSignIn(deps, body, beginner)
      return answerWithBrowserSecret({ authorization_url }, { secret, lives_seconds }, url)
    },
  }),
  route({
    method: 'post',
    path: `${PATH}/callback`,
    name: 'auth.finishSignIn',
    access: 'none',
    tag,
    summary: 'Finish a sign-in with the code from the identity provider',
    description: 'Creates an account if none exists, with the email address verified by the provider.',
    body: IdpSignIn,
    answer: { status: 200, description: 'A session token', schema: IdpTokenResponse },
    errors: [
      'invalid_sign_in_state',
      'identity_rejected',
      'identity_email_unverified',
      'identity_email_unusable',
      'account_blocked',
      'registration_disabled',
      'identity_provider_disabled',
      'account_already_linked',
      'identity_already_linked',
      'too_many_attempts',
      'identity_provider_unavailable',
    ],
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
    name: 'auth.linkIdentity',
    access: 'session',
    tag,
    summary: 'Link the account to an identity',
    description:
      'Requires a sign-in within the last 10 minutes or the current password, here or at the start. ' +
      'Emails the owner.',
    body: IdpLink,
    answer: { status: 200, description: 'The account', schema: IdpLinkResponse },
    errors: [
      ...PROOF_ERRORS,
      'invalid_sign_in_state',
      'identity_rejected',
      'identity_provider_disabled',
      'account_already_linked',
      'identity_already_linked',
      'identity_provider_unavailable',
    ],
    handle: ({ deps, caller, body, headers, url }) =>
      linkIdentity(deps, caller, { ...body, browser: readBrowser(headers, url) }),
  }),
  route({
    method: 'delete',
    path: `${PATH}/link`,
    name: 'auth.unlinkIdentity',
    access: 'session',
    tag,
    summary: 'Unlink the account from its identity',
    description: 'Requires a sign-in within the last 10 minutes or the current password. Emails the owner.',
    body: IdpUnlink,
    answer: { status: 200, description: 'The account', schema: Account },
    errors: [...PROOF_ERRORS, 'last_sign_in_method'],
    handle: ({ deps, caller, body }) => unlink(deps, caller, body.current_password),
  }),
]
