import { type Settings, settingsFrom } from '../rules/settings.ts'
import type { Database } from './client.ts'
import { settings } from './schema.ts'

/** A changed setting is in force everywhere within this time. */
const FRESH_MS = 5000

const cached = new WeakMap<Database, { settings: Settings; until: number }>()

export async function loadSettings(db: Database, now: number): Promise<Settings> {
  const known = cached.get(db)
  if (known && known.until > now) return known.settings
  const rows = await db.select().from(settings)
  const current = settingsFrom(Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  cached.set(db, { settings: current, until: now + FRESH_MS })
  return current
}
