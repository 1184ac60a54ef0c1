import type { Settings } from '../../environment/settings.ts'
import { type Database, type DatabaseOptions, openDatabase } from './client.ts'

type Addresses = Pick<Settings, 'DATABASE_URL' | 'DATABASE_AUTH_TOKEN' | 'ACCOUNT_DATABASES'>

/** Opens all databases of a deployment. The first one is the home; the order of the others is their number. */
export function openDatabases(
  { DATABASE_URL, DATABASE_AUTH_TOKEN, ACCOUNT_DATABASES }: Addresses,
  onTrip: (number: number, duration_ms: number) => void = () => undefined,
  options: Pick<DatabaseOptions, 'answer_ms_max'> = {},
): [home: Database, ...others: Database[]] {
  const open = (url: string, token: string | undefined, number: number) =>
    openDatabase(url, token, { ...options, number, onTrip: (duration_ms) => onTrip(number, duration_ms) })
  const others = ACCOUNT_DATABASES.map(({ url, token }, index) => open(url, token, index + 1))
  return [open(DATABASE_URL, DATABASE_AUTH_TOKEN, 0), ...others]
}
