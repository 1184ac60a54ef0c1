import { findDifferences } from '../../../edge/databases/copy-global-tables.ts'
import type { Database } from '../../../edge/platform/database/client.ts'

/** Finds copies of global tables that differ from the home. */
export async function checkCopies([home, ...others]: readonly Database[]): Promise<string[]> {
  if (home === undefined) return []
  const found = await Promise.all(
    others.map(async ({ $client, $number }) => {
      const tables = await findDifferences(home.$client, $client)
      return tables.map(
        (name) =>
          `database ${$number}: ${name} differs from the home. A scheduled task copies it within a minute; if it does not: npm run ops -- repair-databases`,
      )
    }),
  )
  return found.flat()
}
