import type { StoredKey } from '../accounts/queries.ts'
import { isoTime } from '../platform/iso-time.ts'

/** Returns a key as its owner sees it, without the plaintext or the hash. */
export function viewKey(key: StoredKey, usedToday: number) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    enabled: key.enabled && key.revokedAt === null,
    revoked: key.revokedAt !== null,
    max_per_day: key.maxPerDay,
    used_today: usedToday,
    last_used_at: isoTime(key.lastUsedAt),
    created_at: isoTime(key.createdAt),
  }
}
