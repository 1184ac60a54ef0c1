import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { SessionCaller } from './rules/caller.ts'
import { listSessions } from './session-queries.ts'

/** Lists where the account is signed in. */
export async function showSessions({ db, clock }: Deps, { account, session_id }: SessionCaller) {
  const sessions = await listSessions(db, account.id, clock.now())
  return sessions.map(({ id, device, network, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    device,
    network,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    expires_at: isoTime(expiresAt),
    is_current: id === session_id,
  }))
}
