import { sql } from 'drizzle-orm'
import { authorizedFields } from '../accounts/credential-guard.ts'
import type { AccountCaller, LinkOwner } from '../accounts/rules/caller.ts'
import type { Database } from '../platform/database/client.ts'
import { openJobsQuery } from './queries.ts'
import type { UnpaidHour } from './rules/unpaid-work.ts'
import { unpaidWorkQuery } from './unpaid-work-query.ts'

/**
 * Selects the caller's account while the session or API key is valid, with the number of its open jobs and its recent
 * unpaid work.
 */
export function submitterQuery(db: Database, caller: AccountCaller | LinkOwner, now: number) {
  const accountId = caller.account.id
  const hours = unpaidWorkQuery(db, { accountId }, now).as('hours')
  const unpaid = db
    .select({ list: sql`json_group_array(json_array(${hours.hour}, ${hours.processing_ms}))` })
    .from(hours)
  return authorizedFields(db, caller, {
    open: sql<number>`(${openJobsQuery(db, accountId)})`.mapWith(Number),
    unpaid: sql`(${unpaid})`.mapWith(toHours),
  })
}

function toHours(text: string): UnpaidHour[] {
  return (JSON.parse(text) as [number, number][]).map(([hour, processing_ms]) => ({ hour, processing_ms }))
}
