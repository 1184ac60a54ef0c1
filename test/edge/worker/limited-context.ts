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
  // What this testContext has read it remembers; the rows are as before for all others.
  const changed = Object.entries({ ...DEFAULTS, ...settings })
  const write = ([name, value]: [string, unknown]) => ({
    sql: 'INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)',
    args: [name, JSON.stringify(value)],
  })
  const { rows } = await deps.db.$client.execute('SELECT name, value FROM settings')
  await deps.db.$client.batch(changed.map(write), 'write')
  try {
    await loadSettings(deps.db, clock.now)
  } finally {
    await deps.db.$client.batch(
      [
        'DELETE FROM settings',
        ...rows.map((row) => write([String(row.name), JSON.parse(String(row.value))])),
      ],
      'write',
    )
  }
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    clock,
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
