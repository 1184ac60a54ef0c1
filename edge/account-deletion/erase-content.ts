import { z } from 'zod'
import { emailPlaceName } from '../accounts/place-names.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { atHome } from '../platform/database/find-place.ts'
import { forgetPlace } from '../platform/database/place-queries.ts'
import { acknowledgeStatement, type Effect } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { deleteRequestLogsStatement } from '../statistics/request-log-queries.ts'
import { eraseJobs, eraseOther, type JobCursor } from './content-queries.ts'

const Erasure = z.object({
  account_id: z.int(),
  /** The hash under which the home reserved the database of the address. */
  address_hash: z.string().optional(),
  /** The last job that an earlier run erased. */
  after: z.object({ createdAt: z.number(), id: z.string() }).optional(),
  /** Set once nothing is left to erase in the database in use. */
  is_archive: z.boolean().optional(),
})

const JOBS_AT_ONCE = 200
/** Each page is one request to the database, and a run of the Worker may send 1,000 requests. */
const PAGES_MAX = 50

interface Progress {
  address_hash?: string
  /** The last job that is already erased. */
  after?: JobCursor | undefined
  is_archive?: boolean
}

/** Returns the effect that erases the content of a deleted account's jobs, batches and upload links. */
export function eraseEffect(
  account_id: number,
  { address_hash, after, is_archive = false }: Progress = {},
): Effect {
  const place = after === undefined ? '' : `:${after.id}`
  return {
    id: `erase:${account_id}${is_archive ? ':archive' : ''}${place}`,
    kind: 'erase',
    payload: {
      account_id,
      ...(address_hash && { address_hash }),
      ...(after && { after }),
      ...(is_archive && { is_archive }),
    } satisfies z.infer<typeof Erasure>,
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
  const { account_id, address_hash, after, is_archive = false } = Erasure.parse(payload)
  const database = is_archive ? deps.archive : deps.db
  if (database === null) return
  if (after === undefined) {
    await eraseOther(database, account_id)
    if (address_hash !== undefined) await forgetPlace(atHome(deps).db, emailPlaceName(address_hash))
    if (!is_archive) await commit(deps.logs, [deleteRequestLogsStatement(deps.logs, [account_id])])
  }
  const last = await erasePages(database, account_id, after, pages_max)
  const isFollowed = !is_archive && deps.archive !== null
  if (last === undefined && !isFollowed) return
  // The archive comes last, so that a job which moves in between is erased there.
  const next = eraseEffect(account_id, { after: last, is_archive: is_archive || last === undefined })
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

/** Erases a bounded number of pages. Returns the last erased job; undefined if nothing is left. */
async function erasePages(db: Database, account_id: number, after: JobCursor | undefined, pages_max: number) {
  let last = after
  for (let page = 0; page < pages_max; page++) {
    last = await eraseJobs(db, account_id, last, JOBS_AT_ONCE)
    if (last === undefined) return undefined
  }
  return last
}
