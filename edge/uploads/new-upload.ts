import { type Caller, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { uploadLifeMs } from '../jobs/rules/submission.ts'
import { makeId } from '../platform/database/ids.ts'
import { loadSettings } from '../settings/queries.ts'
import { plainName, safeName } from './rules/addresses.ts'

/** Creates a new upload with its storage key, owner and expiration. */
export async function newUpload(
  { db, clock }: Deps,
  caller: Caller,
  { filename, content_type, size_bytes }: { filename: string; content_type: string; size_bytes: number },
) {
  const now = clock.now()
  const lives_ms = uploadLifeMs(await loadSettings(db, now), tierOf(caller, now))
  return {
    key: `uploads/${makeId(db)}/${safeName(filename)}`,
    accountId: caller.account?.id ?? null,
    ownerKey: caller.kind === 'anonymous' ? (caller.owner_keys?.[0] ?? null) : null,
    addressKey: caller.address_key ?? null,
    blockKey: caller.block_key ?? null,
    filename: plainName(filename),
    contentType: content_type,
    sizeBytes: size_bytes,
    createdAt: now,
    expiresAt: now + lives_ms,
  }
}
