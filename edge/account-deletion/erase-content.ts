import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { eraseJobs, eraseOther, type JobCursor } from './content-queries.ts'

const Erasure = z.object({ account_id: z.int() })

const JOBS_AT_ONCE = 200

/** Returns the effect that erases the content of a deleted account's jobs, batches and upload links. */
export function eraseEffect(account_id: number): Effect {
  return {
    id: `erase:${account_id}`,
    kind: 'erase',
    payload: { account_id } satisfies z.infer<typeof Erasure>,
  }
}

/** Erases page by page, since an account may have any number of jobs. Repeating it changes nothing. */
export async function eraseContent({ db }: Pick<Deps, 'db'>, payload: unknown): Promise<void> {
  const { account_id } = Erasure.parse(payload)
  let last: JobCursor | undefined
  do last = await eraseJobs(db, account_id, last, JOBS_AT_ONCE)
  while (last !== undefined)
  await eraseOther(db, account_id)
}
