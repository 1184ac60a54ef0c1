import { sql } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { everyDatabase } from '../platform/database/find-place.ts'
import { DATABASES_HEADER } from '../platform/database/known-databases.ts'

const TIMEOUT_MS = 3000
/** Cache time of a result. */
const FRESH_MS = 1000
/**
 * A check that has been running longer than the timeout and the cache time combined must have been canceled with its
 * request.
 */
const ASKING_MS_MAX = TIMEOUT_MS + FRESH_MS

type Check = 'ok' | 'down'

interface Readiness {
  status: 'ok' | 'unavailable'
  checks: { database: Check; cache: Check }
}

interface Memory {
  last: Readiness | null
  fresh_until: number
  /** While a check is running, other requests get the last result until this time. */
  asked_until: number
}

const memories = new WeakMap<Deps['db'], Memory>()

/**
 * Checks the database and, through the fleet, the fleet's Redis about once a second, no matter how often it is
 * called. A request never awaits another request's check, because a Worker cancels a check with the request that
 * started it. Contract: Public endpoints, Health.
 */
export async function checkReadiness(deps: Deps): Promise<Readiness> {
  const memory = memories.get(deps.db) ?? { last: null, fresh_until: 0, asked_until: 0 }
  memories.set(deps.db, memory)
  const now = deps.clock.now()
  const told_until = Math.max(
    memory.fresh_until,
    Math.min(memory.asked_until, memory.fresh_until + ASKING_MS_MAX),
  )
  if (memory.last !== null && now < told_until) return memory.last
  memory.asked_until = now + ASKING_MS_MAX
  memory.last = await askAll(deps)
  memory.fresh_until = deps.clock.now() + FRESH_MS
  memory.asked_until = 0
  return memory.last
}

/** Tells operators that the Worker knows all databases before accounts are placed in them. */
export function countHeader({ databases }: Pick<Deps, 'databases'>): Record<string, string> {
  return databases.length === 1 ? {} : { [DATABASES_HEADER]: String(databases.length) }
}

async function askAll(deps: Deps): Promise<Readiness> {
  const [databases, { cache }] = await Promise.all([
    Promise.all(everyDatabase(deps).map(checkDatabase)),
    deps.fleet.askReadiness(),
  ])
  const database = databases.includes('down') ? 'down' : 'ok'
  const status = database === 'ok' && cache === 'ok' ? 'ok' : 'unavailable'
  return { status, checks: { database, cache } }
}

async function checkDatabase({ db }: Deps): Promise<Check> {
  const asked = db.run(sql`SELECT 1`).then(
    (): Check => 'ok',
    (): Check => 'down',
  )
  return Promise.race([asked, scheduler.wait(TIMEOUT_MS).then((): Check => 'down')])
}
