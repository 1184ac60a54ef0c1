import { loadSettings } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import { type Caller, tierOf } from '../../rules/caller.ts'
import { safeName } from '../../rules/files.ts'
import { uploadLifeMs } from '../../rules/submission.ts'

/** An upload that begins: its place in storage, whose it is, and how long it lives. */
export async function newUpload(
  { db, clock }: Deps,
  caller: Caller,
  { filename, content_type, size_bytes }: { filename: string; content_type: string; size_bytes: number },
) {
  const now = clock.now()
  const lives_ms = uploadLifeMs(await loadSettings(db, now), tierOf(caller, now))
  return {
    key: `uploads/${crypto.randomUUID()}/${safeName(filename)}`,
    accountId: caller.account?.id ?? null,
    ownerKey: caller.kind === 'anonymous' ? (caller.owner_keys?.[0] ?? null) : null,
    addressKey: caller.address_key ?? null,
    filename,
    contentType: content_type,
    sizeBytes: size_bytes,
    createdAt: now,
    expiresAt: now + lives_ms,
  }
}
