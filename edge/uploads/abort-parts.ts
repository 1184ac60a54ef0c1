import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { abortEffect } from './abort-effect.ts'
import { findOwnParts, type NamedUpload } from './find-parts.ts'
import { forgetPartsStatement, type PartUpload } from './part-queries.ts'
import { deleteUploadStatements } from './queries.ts'

/**
 * Aborts an upload and deletes its parts. Best effort: ignores unknown, cross-tenant and completed uploads without
 * an error. Contract: Uploads, Upload in parts.
 */
export async function abortPartUpload(deps: Deps, caller: Caller, named: NamedUpload): Promise<void> {
  const found = await findOwnParts(deps, caller, named)
  if (found === null || found.parts.completedAt !== null) return
  await commitOnce(deps, {
    statements: forgetUploadStatements(deps, found.parts),
    effects: [abortEffect(found.parts)],
    answer: null,
  })
}

/** Returns statements that delete an unused multipart upload. */
export function forgetUploadStatements({ db, clock }: Deps, { key }: PartUpload): Statement[] {
  return [...deleteUploadStatements(db, [key], clock.now()), forgetPartsStatement(db, key)]
}
