import { waitInWords } from '../../http/rules/wait.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

/** Attempts that are counted and limited. */
const ATTEMPTS = {
  registrations: 'registrations from this network',
  registration_attempts: 'registration attempts from this network',
  current_passwords: 'wrong passwords',
  sign_ins_of_network: 'failed sign-ins from this network',
  sign_ins_of_network_and_address: 'failed sign-ins for this address from this network',
  sign_ins_of_address: 'failed sign-ins for this address from unknown browsers',
  sign_ins_of_browser: 'failed sign-ins from this browser',
  codes: 'requests for a confirmation code',
  code_guesses: 'wrong guesses at this code',
  link_uploads: 'uploads from this network',
}
export type Attempt = keyof typeof ATTEMPTS

function guessesLeft(left: number): string {
  if (left === 0) return 'Request a new one.'
  return left === 1 ? 'You have one attempt left.' : `You have ${left} attempts left.`
}

/** Errors for accounts, sign-in, API keys and identity providers. */
export const ACCOUNT_ERRORS = {
  account_not_found: {
    status: 404,
    detail: 'Account not found. Check its id or email address.',
    help: 'Search for the account first.',
  },
  invalid_credentials: {
    status: 401,
    detail: 'The email address or the password is wrong. Check both and try again.',
    help: 'Ask the person to enter both again; unknown addresses get the same response.',
  },
  account_blocked: {
    status: 403,
    detail: 'The account is blocked. Contact support.',
    help: 'Contact support.',
  },
  registration_disabled: {
    status: 403,
    detail: 'Registration is closed at the moment. Try again later.',
    help: 'Try again later.',
  },
  email_already_registered: {
    status: 409,
    detail: 'An account with this email address already exists. Sign in instead.',
    help: 'Prompt the user to sign in.',
  },
  captcha_required: {
    status: 400,
    detail: 'captcha_token is missing. Solve the captcha and send its token.',
    help: 'Show the captcha that the public config names.',
  },
  captcha_rejected: {
    status: 400,
    detail: 'The captcha was not solved, or its token was used before. Solve a new one.',
    help: 'Reset the captcha and send the new token.',
  },
  captcha_unavailable: {
    status: 503,
    detail: 'The captcha cannot be checked at the moment. Try again later.',
    help: 'Try again with exponential backoff.',
  },
  too_many_attempts: withFacts({
    status: 429,
    detail: ({ attempt, retry_after_seconds }: { attempt: Attempt } & Wait) =>
      `Too many ${ATTEMPTS[attempt]}. Try again in ${waitInWords(retry_after_seconds)}.`,
    example: { attempt: 'sign_ins_of_network', retry_after_seconds: 300 },
    help: 'Wait as long as Retry-After says.',
  }),
  email_confirmation_unavailable: {
    status: 503,
    detail: 'Email addresses cannot be confirmed at the moment. Try again later.',
    help: 'Try again later: email is not configured or confirmation is switched off.',
  },
  email_already_confirmed: {
    status: 409,
    detail: 'The email address is already confirmed. No code is needed.',
    help: 'Reload the email status.',
  },
  wrong_confirmation_code: withFacts({
    status: 400,
    detail: ({ guesses_left }: { guesses_left: number }) => `The code is wrong. ${guessesLeft(guesses_left)}`,
    example: { guesses_left: 4 },
    help: 'Ask the person to enter the code again, or request a new one.',
  }),
  confirmation_code_expired: {
    status: 400,
    detail: 'The code has expired. Request a new one.',
    help: 'Request a new code.',
  },
  current_password_required: {
    status: 400,
    detail: 'current_password is missing. Send it to set a new password.',
    help: 'Ask for the current password.',
  },
  wrong_current_password: {
    status: 400,
    detail: 'current_password is wrong. Check it and try again.',
    help: 'Ask for the current password again.',
  },
  password_change_conflict: {
    status: 409,
    detail: 'Another request changed the password or ended the session at the same time. Sign in again.',
    help: 'Sign in again before changing the password.',
  },
  api_key_not_found: {
    status: 404,
    detail: 'API key not found. Use an id from the list of keys.',
    help: 'Use an id from the list of keys.',
  },
  api_key_revoked: {
    status: 403,
    detail: 'An administrator revoked this API key, so it cannot be enabled or deleted. Create a new one.',
    help: 'Create a new key.',
  },
  too_many_api_keys: withFacts({
    status: 409,
    detail: ({ keys_max }: { keys_max: number }) =>
      `An account has at most ${keys_max} API keys. Delete one before you create another.`,
    example: { keys_max: 100 },
    help: 'Delete a key that is no longer used.',
  }),
  identity_provider_disabled: {
    status: 404,
    detail: 'Signing in with an identity provider is not available here. Sign in with a password.',
    help: 'Hide the button: the public config reports whether a provider is available.',
  },
  invalid_sign_in_state: {
    status: 400,
    detail:
      'The sign-in is unknown, has expired, or was started in another browser or session. Start again here.',
    help: 'Start the sign-in again and finish it in the same browser and session.',
  },
  identity_rejected: {
    status: 400,
    detail: 'The identity provider did not confirm the sign-in. Start again.',
    help: 'Start the sign-in again.',
  },
  identity_provider_unavailable: {
    status: 502,
    detail: 'The identity provider cannot be reached at the moment. Try again later.',
    help: 'Try again with exponential backoff.',
  },
  identity_email_unverified: {
    status: 403,
    detail: 'The identity provider has not verified your email address. Verify it there first.',
    help: 'Verify the address at the provider, or register with a password.',
  },
  identity_email_unusable: {
    status: 403,
    detail: 'The identity provider reported an email address that cannot be used. Register with a password.',
    help: 'Register with a password and another address.',
  },
  account_already_linked: {
    status: 409,
    detail: 'The account is linked to another identity. Sign in with a password and unlink that one first.',
    help: 'Unlink the other identity first.',
  },
  identity_already_linked: {
    status: 409,
    detail: 'This identity is linked to another account. Use it to sign in to that account.',
    help: 'Use another identity, or unlink it in the other account.',
  },
  last_sign_in_method: {
    status: 409,
    detail: 'This identity is the only way to sign in to the account. Set a password first.',
    help: 'Set a password before unlinking.',
  },
} as const satisfies Record<string, ErrorEntry>
