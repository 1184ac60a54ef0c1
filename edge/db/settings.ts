import { eq, sql } from 'drizzle-orm'
import { reportUnforeseen } from '../log.ts'
import { listInvalid, type Settings, settingsFrom } from '../rules/settings.ts'
import type { Database, Statement } from './client.ts'
import { settings } from './schema.ts'

/** A changed setting is in force everywhere within this time. */
const FRESH_MS = 5000

/** Whoever asks for longer was cut off, or waits for a database that has its hands full. */
const ASKING_MS_MAX = 1000

const cached = new WeakMap<Database, { settings: Settings; until: number }>()

/** While one request asks anew the others go by what is known, so that a crowd doesn't ask all at once. */
export async function loadSettings(db: Database, now: number): Promise<Settings> {
  const known = cached.get(db)
  if (known && known.until > now) return known.settings
  if (known) known.until = now + ASKING_MS_MAX
  const changed = await readChangedSettings(db)
  const invalid = listInvalid(changed)
  if (invalid.length > 0) {
    reportUnforeseen(`settings that cannot be are at their defaults: ${invalid.join(', ')}`, {
      task: 'read the settings',
    })
  }
  const current = settingsFrom(changed)
  cached.set(db, { settings: current, until: now + FRESH_MS })
  return current
}

/** What was changed, as it is stored. A text that is no JSON is told as itself. */
export async function readChangedSettings(db: Database): Promise<Record<string, unknown>> {
  const rows = await db.select({ name: settings.name, text: sql<string>`${settings.value}` }).from(settings)
  return Object.fromEntries(rows.map(({ name, text }) => [name, parseJson(text)]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What this isolate remembers is read again at once. */
export function forgetSettings(db: Database): void {
  cached.delete(db)
}

/** @param value null puts it back to its default */
export function settingStatement(db: Database, name: string, value: unknown): Statement {
  if (value === null) return db.delete(settings).where(eq(settings.name, name))
  return db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } })
}
