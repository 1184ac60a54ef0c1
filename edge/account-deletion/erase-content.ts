import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { acknowledgeStatement, type Effect } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { deleteRequestLogsStatement } from '../statistics/request-log-queries.ts'
import { eraseJobs, eraseOther, type JobCursor } from './content-queries.ts'

const Erasure = z.object({
  account_id: z.int(),
  /** The last job that an earlier run erased. */
  after: z.object({ createdAt: z.number(), id: z.string() }).optional(),
})

const JOBS_AT_ONCE = 200
/** Each page is one request to the database, and a run of the Worker may send 1,000 requests. */
const PAGES_MAX = 50

/**
 * Returns the effect that erases the content of a deleted account's jobs, batches and upload links.
 * @param after the last job that is already erased.
 */
export function eraseEffect(account_id: number, after?: JobCursor): Effect {
  return {
    id: after === undefined ? `erase:${account_id}` : `erase:${account_id}:${after.id}`,
    kind: 'erase',
    payload: { account_id, ...(after && { after }) } satisfies z.infer<typeof Erasure>,
  }
}

/**
 * Erases the content of an account page by page, since it may have any number of jobs. After a bounded number of pages,
 * replaces the effect with one that continues after the last page. Repeating it changes nothing.
 * Contract: Accounts, Account deletion.
 */
export async function eraseContent(
  deps: Deps,
  { id, payload }: Pick<Effect, 'id' | 'payload'>,
  pages_max = PAGES_MAX,
): Promise<void> {
  const { account_id, after } = Erasure.parse(payload)
  if (after === undefined) {
    await eraseOther(deps.db, account_id)
    await commit(deps.logs, [deleteRequestLogsStatement(deps.logs, [account_id])])
  }
  let last = after
  for (let page = 0; page < pages_max; page++) {
    last = await eraseJobs(deps.db, account_id, last, JOBS_AT_ONCE)
    if (last === undefined) return
  }
  const next = eraseEffect(account_id, last)
  await unitOfWork(deps, {
    load: async () => undefined,
    decide: () => ({
      statements: [acknowledgeStatement(deps.db, id)],
      effects: [next],
      answer: undefined,
    }),
    sending: 'by outbox',
  })
}
