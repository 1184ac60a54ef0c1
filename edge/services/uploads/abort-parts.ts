import type { Statement } from '../../db/client.ts'
import { commit } from '../../db/commit.ts'
import { type Effect, effectStatement } from '../../db/outbox.ts'
import { forgetPartsStatement, type PartUpload } from '../../db/parts.ts'
import { deleteUploadStatements } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../rules/caller.ts'
import { carryOut } from '../outbox/resend.ts'
import { findOwnParts, type NamedUpload } from './find-parts.ts'

/**
 * POST /uploads/multipart/abort: forgets an upload and its parts. Best effort: of one that is unknown, somebody
 * else's or complete it does nothing, and says nothing. Specification: Uploads.
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
