import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'

const TIMEOUT_MS = 3000

type Check = 'ok' | 'down'

/** Asks the database, and the fleet's Redis through the fleet. Specification: Health. */
export async function checkReadiness(deps: Deps) {
  const [database, cache] = await Promise.all([checkDatabase(deps), deps.fleet.askCache()])
  const status = database === 'ok' && cache === 'ok' ? ('ok' as const) : ('unavailable' as const)
  return { status, checks: { database, cache } }
}

async function checkDatabase({ db }: Deps): Promise<Check> {
  const asked = db.run(sql`SELECT 1`).then(
    (): Check => 'ok',
    (): Check => 'down',
  )
  return Promise.race([asked, scheduler.wait(TIMEOUT_MS).then((): Check => 'down')])
}
