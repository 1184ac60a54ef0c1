import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { AccountRow } from './queries.ts'
import type { CallerAccount } from './rules/caller.ts'
import { issueSession } from './session-tokens.ts'
import { viewAccount } from './view.ts'

/** Returns the response to a sign-in: a new session token and the account. */
export async function beginSession(
  deps: Deps,
  account: CallerAccount,
  { publicKey, sessionEpoch }: Pick<AccountRow, 'publicKey' | 'sessionEpoch'>,
) {
  const claims = { account_key: publicKey, epoch: sessionEpoch }
  const { token, expires_at } = await issueSession(deps.env.SESSION_KEYS, claims, deps.clock.now())
  return {
    access_token: token,
    token_type: 'bearer' as const,
    expires_at: isoTime(expires_at),
    user: viewAccount(account, deps.clock.now()),
  }
}
