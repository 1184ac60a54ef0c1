import { createClient } from '@libsql/client'
import type { Settings } from '../../edge/settings/rules/settings.ts'

/** Limits on requests and in-flight jobs that are too high for tests and benchmarks to reach. */
export const GENEROUS_LIMITS: Partial<Settings> = {
  requests_per_minute_anonymous: 1_000_000,
  requests_per_minute_free: 1_000_000,
  requests_per_day_anonymous: 100_000_000,
  requests_per_day_free: 100_000_000,
  requests_per_day_key: 100_000_000,
  in_flight_max_free: 10_000,
  uploads_per_day_anonymous: 1_000_000,
  registrations_per_hour_per_ip: 1_000_000,
  registration_attempts_per_hour_per_ip: 1_000_000,
  link_uploads_per_hour_per_ip: 1_000_000,
  misses_per_minute_per_ip: 1_000_000,
}

/** Writes settings directly to the database. Running Workers apply them within five seconds. */
export async function writeSettings(databaseUrl: string, settings: Partial<Settings>): Promise<void> {
  const client = createClient({ url: databaseUrl })
  try {
    const sql = 'INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)'
    const rows = Object.entries(settings).map(([name, value]) => ({
      sql,
      args: [name, JSON.stringify(value)],
    }))
    if (rows.length > 0) await client.batch(rows, 'write')
  } finally {
    client.close()
  }
}
