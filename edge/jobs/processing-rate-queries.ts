import { type AnyColumn, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { SHARED_LIFETIMES, TtlCache } from '../platform/ttl-cache.ts'
import { processingRates } from '../tables.ts'
import type { ProcessingRate } from './rules/estimate.ts'

/** The weight of a new job in the means is 1 divided by this number, so the means follow recent jobs. */
const RECENT_JOBS = 100

const cache = new TtlCache<'rates', ReadonlyMap<string, ProcessingRate>>(SHARED_LIFETIMES)

/** Loads the rates of all operations, by address. */
export function loadProcessingRates(db: Database, now: number): Promise<ReadonlyMap<string, ProcessingRate>> {
  return cache.load(db, 'rates', now, async () => {
    const rows = await db.select().from(processingRates)
    return new Map(
      rows.map(({ serviceSlug, operationKey, jobs, secondsMean, sizeMean }) => [
        `${serviceSlug}/${operationKey}`,
        { jobs, seconds_mean: secondsMean, size_mean: sizeMean },
      ]),
    )
  })
}

/** Adds a finished job to the means of its operation. */
export function measureJobStatement(
  db: Database,
  { serviceSlug, operationKey }: { serviceSlug: string; operationKey: string },
  { seconds, size }: { seconds: number; size: number },
): Statement {
  const follow = (mean: AnyColumn, value: number) =>
    sql`${mean} + (${value} - ${mean}) / min(${processingRates.jobs} + 1, ${RECENT_JOBS})`
  return db
    .insert(processingRates)
    .values({ serviceSlug, operationKey, jobs: 1, secondsMean: seconds, sizeMean: size })
    .onConflictDoUpdate({
      target: [processingRates.serviceSlug, processingRates.operationKey],
      set: {
        jobs: sql`${processingRates.jobs} + 1`,
        secondsMean: follow(processingRates.secondsMean, seconds),
        sizeMean: follow(processingRates.sizeMean, size),
      },
    })
}
