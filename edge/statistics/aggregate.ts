import type { Deps } from '../deps.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { ALL_IDS, listBlocks, type PrunedTable, pruneOldest } from '../platform/database/prune.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { BUDGET_MS, untilNothingDue } from '../platform/until-nothing-due.ts'
import { loadSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { rollUpUsage } from './usage-queries.ts'

const EVENTS_MAX = 10_000
const ROWS_MAX = 1000

/** Adds usage events to the daily totals from which statistics are read. */
export async function addUpUsage({ db }: Deps): Promise<void> {
  await untilNothingDue(async () => (await rollUpUsage(db, EVENTS_MAX)) === EVENTS_MAX)
}

/** Longer than every time window of the feedback limits. */
const FEEDBACK_KEPT_DAYS = 2

/** Returns the retention in days of the tables that only record history. */
function keptDays(settings: Settings): Record<PrunedTable, number> {
  return {
    request_logs: settings.request_logs_kept_days,
    web_events: settings.web_events_kept_days,
    usage_events: settings.usage_events_kept_days,
    job_moves: settings.job_moves_kept_days,
    webhook_deliveries: settings.webhook_deliveries_kept_days,
    webhook_attempts: settings.webhook_deliveries_kept_days,
    feedback: FEEDBACK_KEPT_DAYS,
  }
}

/** Deletes rows whose retention period has ended. */
export async function removeOldRows(deps: Deps): Promise<void> {
  const { db, logs, clock } = deps
  const now = clock.now()
  const days = Object.entries(keptDays(await loadSettings(db, now))) as [PrunedTable, number][]
  for (const [table, kept] of days) {
    const database = table === 'request_logs' ? logs : db
    const blocks = isSpread(deps) ? await listBlocks(database, table) : [ALL_IDS]
    for (const block of blocks) {
      const bounds = { ...block, before: now - kept * DAY_MS, limit: ROWS_MAX }
      await untilNothingDue(
        async () => (await pruneOldest(database, table, bounds)) === ROWS_MAX,
        BUDGET_MS / days.length / blocks.length,
      )
    }
  }
}
