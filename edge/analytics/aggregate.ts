import type { Deps } from '../deps.ts'
import { dayOf } from '../platform/rules/days.ts'
import { rollUpWebDay } from './queries.ts'

/** What is still in the queue when a day ends gets there within this time. */
const LATE_MS = 60 * 60 * 1000

/** Adds web events up by day, once the day is over. */
export async function addUpWebEvents({ db, clock }: Deps): Promise<void> {
  const today = dayOf(clock.now() - LATE_MS)
  while (await rollUpWebDay(db, today));
}
