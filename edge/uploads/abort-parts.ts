import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { carryOut } from '../outbox/resend.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { type Effect, effectStatement } from '../platform/outbox/queries.ts'
import { findOwnParts, type NamedUpload } from './find-parts.ts'
import { forgetPartsStatement, type PartUpload } from './part-queries.ts'
import { deleteUploadStatements } from './queries.ts'

/**
 * POST /uploads/multipart/abort: forgets an upload and its parts. Best effort: of one that is unknown, somebody
 * else's or complete it does nothing, and says nothing. Contract: Uploads, Upload in parts.
 */
export async function abortPartUpload(deps: Deps, caller: Caller, named: NamedUpload): Promise<void> {
  const found = await findOwnParts(deps, caller, named)
  if (found === null || found.parts.completedAt !== null) return
  const { statements, effect } = abortOf(deps, found.parts)
  await commit(deps.db, statements)
  deps.defer(carryOut(deps, effect))
}

/** What forgets an upload by parts, and the effect to be carried out after that. */
export function abortOf(
  { db, clock }: Deps,
  { key, uploadId }: PartUpload,
): { statements: Statement[]; effect: Effect } {
  const effect: Effect = { id: `abort:${key}`, kind: 'abort', payload: { key, upload_id: uploadId } }
  return {
    statements: [
      ...deleteUploadStatements(db, [key]),
      forgetPartsStatement(db, key),
      effectStatement(db, effect, clock.now()),
    ],
    effect,
  }
}
