import type { Deps } from '../deps.ts'

/** How long a balance may be told again by `/me/ping`; a change made in this isolate ends it at once. */
const FRESH_MS = 1000
const REMEMBERED_MAX = 10_000

type Memory = Map<number, { balance: number; until: number }>

const remembered = new WeakMap<Deps['db'], Memory>()

function memoryOf({ db }: Pick<Deps, 'db'>): Memory {
  const known = remembered.get(db)
  if (known) return known
  const made: Memory = new Map()
  remembered.set(db, made)
  return made
}

export function recallBalance(deps: Deps, accountId: number): number | undefined {
  const known = memoryOf(deps).get(accountId)
  return known !== undefined && known.until > deps.clock.now() ? known.balance : undefined
}

export function rememberBalance(deps: Deps, accountId: number, balance: number): void {
  const memory = memoryOf(deps)
  if (memory.size >= REMEMBERED_MAX) memory.clear()
  memory.set(accountId, { balance, until: deps.clock.now() + FRESH_MS })
}

export function forgetBalance(deps: Pick<Deps, 'db'>, accountId: number): void {
  memoryOf(deps).delete(accountId)
}
