import type { Deps } from '../deps.ts'
import { shortenAddress } from '../platform/http/rules/client-address.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Client } from './client.ts'
import { describeDevice } from './describe-device.ts'
import type { AccountRow } from './queries.ts'
import type { CallerAccount } from './rules/caller.ts'

import { insertSession } from './session-queries.ts'
import { issueSession } from './session-tokens.ts'
import { viewAccount } from './view.ts'

/** The row of an account that signs in. */
type SignedIn = Pick<AccountRow, 'id' | 'publicKey' | 'sessionEpoch'>

/** Starts a session. Returns the response to a sign-in: the token and the account. */
export async function beginSession(
  deps: Deps,
  account: CallerAccount,
  { id: accountId, publicKey, sessionEpoch }: SignedIn,
  { address, user_agent }: Pick<Client, 'address' | 'user_agent'>,
) {
  const now = deps.clock.now()
  const id = crypto.randomUUID()
  const claims = { account_key: publicKey, epoch: sessionEpoch, session_id: id }
  const { token, expires_at } = await issueSession(deps.env.SESSION_KEYS, claims, now)
  const client = { device: describeDevice(user_agent), network: shortenAddress(address) }
  const times = { createdAt: now, lastUsedAt: now, expiresAt: expires_at }
  await insertSession(deps.db, { id, accountId, ...client, ...times }, sessionEpoch)
  return {
    access_token: token,
    token_type: 'bearer' as const,
    expires_at: isoTime(expires_at),
    user: viewAccount(account, now),
  }
}
