import type { Deps } from '../../../edge/deps.ts'
import { loadSettings } from '../../../edge/settings/queries.ts'
import type { Settings } from '../../../edge/settings/rules/settings.ts'
import { type Answer, makeTestContext, type TestContext } from './context.ts'

/** The product's default limits. All other tests run with generous limits. */
const DEFAULTS: Partial<Settings> = {
  requests_per_minute_anonymous: 30,
  requests_per_minute_free: 60,
  requests_per_day_anonymous: 10_000,
  requests_per_day_free: 50_000,
  requests_per_day_key: 5000,
  in_flight_max_free: 5,
}

/**
 * Creates a test context with separate limits. Its clock stands still unless `clock.now` is changed. If that time
 * is far from the present, each request needs a separate account or address, because counters never go back in
 * time.
 */
export async function makeLimitedContext(
  settings: Partial<Settings> = {},
  overrides: Record<string, unknown> = {},
  now = Date.now(),
): Promise<TestContext & { clock: { now: number } }> {
  const testContext = makeTestContext(overrides)
  const clock = { now }
  const { deps } = testContext
  deps.clock.now = () => clock.now
  await cacheSettings(deps, { ...DEFAULTS, ...settings }, clock.now)
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    clock,
  }
}

/**
 * Loads the settings with these changes into a context's cache, as if they came from the database. They are not
 * stored, because later test files in this workerd use the same database and would get these limits too.
 */
async function cacheSettings({ db }: Deps, changes: Partial<Settings>, now: number): Promise<void> {
  const stored = await db.$client.execute('SELECT name, value FROM settings')
  const rows = [
    ...stored.rows
      .map(({ name, value }) => ({ name: String(name), text: String(value) }))
      .filter(({ name }) => !(name in changes)),
    ...Object.entries(changes).map(([name, value]) => ({ name, text: JSON.stringify(value) })),
  ]
  const { select } = db
  Object.assign(db, { select: () => ({ from: async () => rows }) })
  try {
    await loadSettings(db, now)
  } finally {
    Object.assign(db, { select })
  }
}

/** Returns an address that no other test uses. */
export function freshAddress(): string {
  const parts = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${[...parts].map((part) => part.toString(16)).join(':')}::1`
}

/** Returns addresses in different /64 of one /48 that no other test uses. */
export function freshBlock(count: number): string[] {
  const parts = crypto.getRandomValues(new Uint16Array(2))
  const block = [...parts].map((part) => part.toString(16)).join(':')
  return Array.from({ length: count }, (_, index) => `2001:${block}:${index.toString(16)}::1`)
}

/** Reads a policy's remaining quota from the RateLimit header. */
export function remainingOf({ headers }: Answer, policy: string): number {
  return Number(new RegExp(`"${policy}";r=(\\d+);t=\\d+`).exec(headers.get('ratelimit') ?? '')?.[1])
}
