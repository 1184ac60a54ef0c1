import { administratorQuery } from '../accounts/credential-guard.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { type AuditEntry, type AuditPage, auditStatements, listAudit, nextAuditId } from './audit-queries.ts'

/** The outcome of an administrator's change. Without entries nothing is written. */
export interface Change<Answer> {
  statements: Statement[]
  entries: AuditEntry[]
  answer: Answer
}

/**
 * Runs an administrator's change: load, decide, and commit with the rows of the audit log. Row ids are fixed
 * before loading, so that of two concurrent changes one starts again and `before` values are accurate.
 * @param attempt decides; an ApiError it throws writes nothing. Throws like requireAdministrator.
 */
export function administer<Answer>(
  deps: Deps,
  caller: SessionCaller,
  attempt: (now: number) => Promise<Change<Answer>>,
): Promise<Answer> {
  return untilCommitted(async () => {
    const [first] = await Promise.all([nextAuditId(deps.db), requireAdministrator(deps, caller)])
    const now = deps.clock.now()
    const { statements, entries, answer } = await attempt(now)
    if (entries.length === 0) return answer
    const by = { caller, now }
    await commit(deps.db, [
      ...entries.flatMap((entry, index) => auditStatements(deps.db, first + index, entry, by)),
      ...statements,
    ])
    return answer
  })
}

/** Verifies the administrator before each attempt to commit. Throws 401 and 403. */
export async function requireAdministrator({ db }: Deps, caller: SessionCaller): Promise<void> {
  const [found] = await administratorQuery(db, caller)
  if (found === undefined) throw new ApiError('invalid_bearer_token')
  if (!found.isAdmin) throw new ApiError('administrator_required')
}

/** Lists administrative changes, newest first. */
export async function showAudit(deps: Deps, page: AuditPage) {
  return (await listAudit(deps.db, page)).map((row) => ({
    id: row.id,
    administrator_id: row.administratorId,
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    created_at: isoTime(row.createdAt),
  }))
}
