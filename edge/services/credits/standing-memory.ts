import type { Deps } from '../../deps.ts'

/** How long what `/me/ping` tells may be told again; a change made in this isolate ends it at once. */
const FRESH_MS = 1000
const REMEMBERED_MAX = 10_000

export interface Standing {
  balance: number
  /** Jobs submitted today, by key. */
  used_today: ReadonlyMap<number, number>
}

type Memory = Map<number, Standing & { until: number }>

const remembered = new WeakMap<Deps['db'], Memory>()

function memoryOf({ db }: Deps): Memory {
  const known = remembered.get(db)
  if (known) return known
  const made: Memory = new Map()
  remembered.set(db, made)
  return made
}

export function recallStanding(deps: Deps, accountId: number): Standing | undefined {
  const known = memoryOf(deps).get(accountId)
  return known !== undefined && known.until > deps.clock.now() ? known : undefined
}

export function rememberStanding(deps: Deps, accountId: number, standing: Standing): void {
  const memory = memoryOf(deps)
  if (memory.size >= REMEMBERED_MAX) memory.clear()
  memory.set(accountId, { ...standing, until: deps.clock.now() + FRESH_MS })
}

export function forgetStanding(deps: Deps, accountId: number): void {
  memoryOf(deps).delete(accountId)
}
