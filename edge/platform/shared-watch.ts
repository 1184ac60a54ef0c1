import type { Deps } from '../deps.ts'

/** Maximum time that an id is polled after its last watcher has left. */
const WANTED_MS = 5000

/** Reads the snapshots of ids. `before` has the last known snapshots, so that unchanged rows are not read in full. */
export type ReadSnapshots<Snapshot> = (
  deps: Deps,
  ids: string[],
  before: ReadonlyMap<string, Snapshot>,
) => Promise<Map<string, Snapshot>>

interface Watched<Snapshot> {
  snapshot: Snapshot
  watched_until: number
}

/**
 * Lets all requests of an isolate watch rows at the cost of one. The requests share results but never a pending read,
 * because the runtime cancels a read along with the request that started it.
 */
export class SharedWatch<Snapshot> {
  readonly #read: ReadSnapshots<Snapshot>
  readonly #states = new WeakMap<Deps['db'], { watched: Map<string, Watched<Snapshot>>; asked_at: number }>()

  constructor(read: ReadSnapshots<Snapshot>) {
    this.#read = read
  }

  /**
   * Returns the snapshot of an id, at most about two polling intervals old. One query covers all watched ids, so a
   * thousand watchers query no more often than one.
   */
  async look(deps: Deps, id: string, known: Snapshot, pause_ms: number): Promise<Snapshot> {
    const state = this.#stateOf(deps)
    const { watched } = state
    const now = deps.clock.now()
    watched.set(id, { snapshot: watched.get(id)?.snapshot ?? known, watched_until: now + WANTED_MS })
    if (now - state.asked_at >= pause_ms) {
      state.asked_at = now
      for (const [other, { watched_until }] of watched) if (watched_until < now) watched.delete(other)
      const before = new Map([...watched].map(([other, { snapshot }]) => [other, snapshot]))
      for (const [other, snapshot] of await this.#read(deps, [...before.keys()], before)) {
        const entry = watched.get(other)
        if (entry) entry.snapshot = snapshot
      }
    }
    return watched.get(id)?.snapshot ?? known
  }

  #stateOf({ db }: Deps) {
    const known = this.#states.get(db)
    if (known) return known
    const made = { watched: new Map<string, Watched<Snapshot>>(), asked_at: 0 }
    this.#states.set(db, made)
    return made
  }
}
