import type { Deps } from '../../../edge/deps.ts'
import { loadSettings } from '../../../edge/settings/queries.ts'
import type { Settings } from '../../../edge/settings/rules/settings.ts'
import { type Answer, makeTestContext, type TestContext } from './context.ts'

/** The product's own limits, which the other tests run without. */
const DEFAULTS: Partial<Settings> = {
  requests_per_minute_anonymous: 30,
  requests_per_minute_free: 60,
  requests_per_day_anonymous: 10_000,
  requests_per_day_free: 50_000,
  requests_per_day_key: 5000,
  in_flight_max_free: 5,
}

/**
 * A testContext under limits of its own. No time passes in it, unless `clock.now` is moved. In a testContext far from the
 * present every request needs an account or an address of its own: counters never go back in time.
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
  await rememberSettings(deps, { ...DEFAULTS, ...settings }, clock.now)
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    clock,
  }
}

/**
 * Loads settings with these changes into the cache of a context, as if the database held them: all contexts share one
 * database, and another that read them there would be limited, too.
 */
async function rememberSettings({ db }: Deps, changes: Partial<Settings>, now: number): Promise<void> {
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

/** An address that no other test calls from. */
export function freshAddress(): string {
  const parts = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${[...parts].map((part) => part.toString(16)).join(':')}::1`
}

/** What the RateLimit header says is left of a policy. */
export function remainingOf({ headers }: Answer, policy: string): number {
  return Number(new RegExp(`"${policy}";r=(\\d+);t=\\d+`).exec(headers.get('ratelimit') ?? '')?.[1])
}
