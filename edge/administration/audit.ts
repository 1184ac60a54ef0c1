import { administratorQuery } from '../accounts/credential-guard.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { copyToAll } from '../databases/copy-global-tables.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { atHome, isSpread } from '../platform/database/find-place.ts'
import { readRowsEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { type AuditEntry, type AuditPage, auditStatements, listAudit, nextAuditId } from './audit-queries.ts'

/** The outcome of an administrator's change. If there are no entries, nothing is written. */
export interface Change<Answer> {
  statements: Statement[]
  entries: AuditEntry[]
  answer: Answer
}

interface ChangeSteps<Facts, Answer> {
  load: () => Promise<Facts>
  /** Pure, except that it can throw an ApiError to refuse the change. In that case, nothing is written. */
  decide: (facts: Facts, now: number) => Change<Answer>
}

/**
 * Runs an administrator's change as one unit of work and commits it with its audit log rows. Row ids are chosen
 * before loading, so one of two concurrent changes starts over, and `before` values are accurate. Throws like
 * requireAdministrator.
 */
export async function administer<Facts, Answer>(
  deps: Deps,
  caller: SessionCaller,
  { load, decide }: ChangeSteps<Facts, Answer>,
): Promise<Answer> {
  const answer = await unitOfWork(deps, {
    load: async () => {
      const [audit_id] = await Promise.all([nextAuditId(deps.db), requireAdministrator(deps, caller)])
      return { audit_id, facts: await load() }
    },
    decide: ({ audit_id, facts }, now) => {
      const { statements, entries, answer } = decide(facts, now)
      if (entries.length === 0) return { answer }
      const audited = entries.flatMap((entry, index) =>
        auditStatements(deps.db, audit_id + index, entry, { caller, now }),
      )
      return { statements: [...audited, ...statements], answer }
    },
  })
  if (isSpread(deps)) deps.defer(copyToAll(deps))
  return answer
}

/** Verifies the administrator before each attempt to commit. Throws 401 or 403. */
export async function requireAdministrator(deps: Deps, caller: SessionCaller): Promise<void> {
  const [found] = await administratorQuery(atHome(deps).db, caller)
  if (found === undefined) throw new ApiError('invalid_bearer_token')
  if (!found.isAdmin) throw new ApiError('administrator_required')
}

/** Lists administrative changes, newest first. */
export async function showAudit(deps: Deps, page: AuditPage) {
  const rows = await readRowsEverywhere(
    deps,
    page,
    listAudit,
    (one, other) => other.createdAt - one.createdAt || other.id - one.id,
  )
  return rows.map((row) => ({
    id: row.id,
    administrator_id: row.administratorId,
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    created_at: isoTime(row.createdAt),
  }))
}
