import { eq, sql } from 'drizzle-orm'
import { reportUnforeseen } from '../log.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { SHARED_LIFETIMES, TtlCache } from '../platform/ttl-cache.ts'
import { settings } from '../tables.ts'
import { listInvalid, type Settings, settingsFrom } from './rules/settings.ts'

const cache = new TtlCache<'settings', Settings>(SHARED_LIFETIMES)

export function loadSettings(db: Database, now: number): Promise<Settings> {
  return cache.load(db, 'settings', now, () => readSettings(db))
}

export function forgetSettings(db: Database): void {
  cache.clear(db)
}

async function readSettings(db: Database): Promise<Settings> {
  const changed = await readChangedSettings(db)
  const invalid = listInvalid(changed)
  if (invalid.length > 0) {
    reportUnforeseen(`invalid settings use their defaults: ${invalid.join(', ')}`, {
      task: 'read the settings',
    })
  }
  return settingsFrom(changed)
}

/** Reads the stored values of changed settings. Invalid JSON is returned as text. */
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

/** @param value null restores the default. */
export function settingStatement(db: Database, name: string, value: unknown): Statement {
  if (value === null) return db.delete(settings).where(eq(settings.name, name))
  return db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } })
}
