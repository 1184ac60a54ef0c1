import type { Deps } from '../deps.ts'
import { everyDatabase, isSpread } from '../platform/database/find-place.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { addRows } from './rules/add-figures.ts'
import {
  countActiveAccounts,
  type DaySums,
  type OperationSums,
  sumUsageByDay,
  sumUsageByOperation,
} from './usage-queries.ts'

/** The databases that figures are read from: that of an account, or all for the whole platform. */
export function countedDatabases(deps: Deps, accountId: number | null): Deps['db'][] {
  return accountId === null ? everyDatabase(deps).map(({ db }) => db) : [deps.db]
}

/** Sums the usage of an account, or of the whole platform, for each day with activity. */
export async function sumDays(deps: Deps, accountId: number | null, day: number): Promise<DaySums[]> {
  const databases = countedDatabases(deps, accountId)
  const sums = await Promise.all(databases.map((db) => sumUsageByDay(db, accountId, day)))
  return databases.length === 1 ? sums.flat() : addRows(sums.flat(), ['day'])
}

/** Sums the usage of an account, or of the whole platform, for each operation; most used first. */
export async function sumOperations(
  deps: Deps,
  accountId: number | null,
  day: number,
): Promise<OperationSums[]> {
  const databases = countedDatabases(deps, accountId)
  const sums = await Promise.all(databases.map((db) => sumUsageByOperation(db, accountId, day)))
  if (databases.length === 1) return sums.flat()
  return addRows(sums.flat(), ['service_slug', 'operation_key']).toSorted(
    (one, other) =>
      other.submissions - one.submissions ||
      `${one.service_slug}/${one.operation_key}`.localeCompare(
        `${other.service_slug}/${other.operation_key}`,
        'en',
      ),
  )
}

/** Counts the accounts of the platform with activity since a day. */
export async function countActive(deps: Deps, day: number): Promise<number> {
  if (!isSpread(deps)) return countActiveAccounts(deps.db, day)
  const counts = await readEverywhere(deps, (db) => countActiveAccounts(db, day))
  return counts.reduce((sum, count) => sum + count, 0)
}
