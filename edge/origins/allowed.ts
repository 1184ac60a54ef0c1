import type { Deps } from '../deps.ts'
import { everyDatabase, findAnywhere } from '../platform/database/find-place.ts'
import { TtlCache } from '../platform/ttl-cache.ts'
import { listOrigins, originListedQuery } from './queries.ts'
import { isWebOrigin } from './web-origin.ts'

/** Maximum time until a changed list takes effect everywhere. */
const FRESH_MS = 5000
const lists = new TtlCache<number, readonly string[]>({ fresh_ms: FRESH_MS })
const listed = new TtlCache<string, boolean>({ fresh_ms: FRESH_MS })

/** Checks whether an account allows pages of an origin to call the API with its credentials. */
export async function isAllowedBy({ db, clock }: Deps, accountId: number, origin: string): Promise<boolean> {
  const origins = await lists.load(db, accountId, clock.now(), () => listOrigins(db, accountId))
  return origins.includes(origin)
}

/** Checks whether any account allows an origin, for requests that do not identify their account, such as preflights. */
export async function isAllowedByAny(deps: Deps, origin: string): Promise<boolean> {
  if (!isWebOrigin(origin)) return false
  return listed.load(deps.db, origin, deps.clock.now(), () => isListed(deps, origin))
}

async function isListed(deps: Deps, origin: string): Promise<boolean> {
  return (await findAnywhere(deps, async ({ db }) => (await originListedQuery(db, origin))[0])) !== null
}

/** Makes a change of an account's list take effect in this isolate at once. */
export function forgetOrigins(deps: Deps, accountId: number): void {
  lists.forget(deps.db, accountId)
  for (const { db } of everyDatabase(deps)) listed.clear(db)
}
