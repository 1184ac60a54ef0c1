import type { Deps } from '../deps.ts'
import { dayOf } from '../platform/rules/days.ts'
import { rollUpWebDay } from './queries.ts'

/** Events that are still queued when a day ends are written within this time. */
const LATE_MS = 60 * 60 * 1000

/** Adds up web events per day after the day has ended. */
export async function addUpWebEvents({ db, clock }: Deps): Promise<void> {
  const today = dayOf(clock.now() - LATE_MS)
  while (await rollUpWebDay(db, today));
}
