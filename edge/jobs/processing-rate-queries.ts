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
      rows.flatMap(({ serviceSlug, operationKey, jobs, secondsMean, typicalMean }) =>
        typicalMean === null
          ? []
          : [
              [
                `${serviceSlug}/${operationKey}`,
                { jobs, seconds_mean: secondsMean, typical_mean: typicalMean },
              ],
            ],
      ),
    )
  })
}

interface MeasuredJob {
  /** Processing time, as measured. */
  seconds: number
  /** Time that such a job takes on two cores (shared/planning/typical-times.ts). */
  typical_seconds: number
  /** In minutes or megapixels. Only older versions of the Worker read its mean. */
  size: number
}

/** Adds a finished job to the means of its operation. Means of an older version start again. */
export function measureJobStatement(
  db: Database,
  { serviceSlug, operationKey }: { serviceSlug: string; operationKey: string },
  { seconds, typical_seconds, size }: MeasuredJob,
): Statement {
  const { jobs, secondsMean, sizeMean, typicalMean } = processingRates
  const follow = (mean: AnyColumn, value: number) =>
    sql`iif(${typicalMean} IS NULL, ${value}, ${mean} + (${value} - ${mean}) / min(${jobs} + 1, ${RECENT_JOBS}))`
  return db
    .insert(processingRates)
    .values({
      serviceSlug,
      operationKey,
      jobs: 1,
      secondsMean: seconds,
      sizeMean: size,
      typicalMean: typical_seconds,
    })
    .onConflictDoUpdate({
      target: [processingRates.serviceSlug, processingRates.operationKey],
      set: {
        jobs: sql`iif(${typicalMean} IS NULL, 1, ${jobs} + 1)`,
        secondsMean: follow(secondsMean, seconds),
        sizeMean: follow(sizeMean, size),
        typicalMean: follow(typicalMean, typical_seconds),
      },
    })
}
