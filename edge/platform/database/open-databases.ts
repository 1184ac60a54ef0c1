import type { Settings } from '../../environment/settings.ts'
import { type Database, openDatabase } from './client.ts'

type Addresses = Pick<Settings, 'DATABASE_URL' | 'DATABASE_AUTH_TOKEN' | 'ACCOUNT_DATABASES'>

/** Opens all databases of a deployment. The first one is the home; the order of the others is their number. */
export function openDatabases(
  { DATABASE_URL, DATABASE_AUTH_TOKEN, ACCOUNT_DATABASES }: Addresses,
  options: { onTrip?(duration_ms: number): void } = {},
): [home: Database, ...others: Database[]] {
  const others = ACCOUNT_DATABASES.map(({ url, token }, index) =>
    openDatabase(url, token, { ...options, number: index + 1 }),
  )
  return [openDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, options), ...others]
}
