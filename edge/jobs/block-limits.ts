import { sql } from 'drizzle-orm'
import type { Limits } from '../accounts/rules/limits.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { BLOCK_FACTOR } from '../platform/http/rules/client-address.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { requirePaidWork, requireRoom } from './make.ts'
import { openJobsOfBlockQuery } from './queries.ts'
import type { UnpaidHour } from './rules/unpaid-work.ts'
import { unpaidWorkQuery } from './unpaid-work-query.ts'

/** The open jobs and the unpaid work of all anonymous callers of an IPv6 block. */
interface Block {
  key: string
  open: number
  unpaid: UnpaidHour[]
}

/** Loads what counts against the limits of a block. Returns null for callers without one. */
export async function loadBlock({ db, clock }: Deps, key: string | null): Promise<Block | null> {
  if (key === null) return null
  const [[counted], unpaid] = await db.batch([
    openJobsOfBlockQuery(db, key),
    unpaidWorkQuery(db, { anonymousBlock: key }, clock.now()),
  ])
  return { key, open: counted?.open ?? 0, unpaid }
}

/**
 * Throws 429 if the callers of a block have too many open jobs or too much unpaid work. Contract: Limits, Networks.
 * @returns statements for the commit, because jobs of other callers of the block are submitted concurrently.
 */
export function requireBlockRoom(
  { db }: Deps,
  block: Block | null,
  requested: number,
  { settings, limits, now }: { settings: Settings; limits: Limits; now: number },
): Statement[] {
  if (block === null) return []
  const in_flight_max = limits.in_flight_max * BLOCK_FACTOR
  requireRoom(block.open, requested, { ...limits, in_flight_max })
  const minutes_max = settings.unpaid_minutes_per_day_anonymous * BLOCK_FACTOR
  const widened = { ...settings, unpaid_minutes_per_day_anonymous: minutes_max }
  requirePaidWork(block.unpaid, widened, 'anonymous', now)
  return [guardStatement(db, sql`(${openJobsOfBlockQuery(db, block.key)}) <= ${in_flight_max - requested}`)]
}
