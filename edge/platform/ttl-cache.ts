import type { Database } from './database/client.ts'

interface Lifetimes {
  /** Values are read again after this time. */
  fresh_ms: number
  /** While one request reads a value again, the others use the known one up to this age. */
  usable_ms?: number
  /** A read that takes longer was canceled with its request, or waits for a busy database: another one may read. */
  read_ms_max?: number
}

interface Entry<Value> {
  value: Value
  read_at: number
  /** Until then nobody reads it again. */
  until: number
}

const ENTRIES_MAX = 10_000

/**
 * What an isolate remembers of a database, by key. Reads are single flight where a known value is still usable; a
 * request never waits for another one's read, since the runtime cancels that read with the request that began it.
 */
export class TtlCache<Key, Value> {
  readonly #lifetimes: Required<Lifetimes>
  readonly #entries = new WeakMap<Database, Map<Key, Entry<Value>>>()

  constructor({ fresh_ms, usable_ms = fresh_ms, read_ms_max = 0 }: Lifetimes) {
    this.#lifetimes = { fresh_ms, usable_ms, read_ms_max }
  }

  recall(db: Database, key: Key, now: number): Value | undefined {
    const known = this.#of(db).get(key)
    if (known === undefined) return undefined
    return now < Math.min(known.until, known.read_at + this.#lifetimes.usable_ms) ? known.value : undefined
  }

  /** @param until for values that end sooner by themselves. */
  remember(db: Database, key: Key, value: Value, now: number, until = Number.POSITIVE_INFINITY): void {
    const entries = this.#of(db)
    if (entries.size >= ENTRIES_MAX) entries.clear()
    entries.set(key, { value, read_at: now, until: Math.min(now + this.#lifetimes.fresh_ms, until) })
  }

  /** Answers the known value, or reads it. */
  async load(db: Database, key: Key, now: number, read: () => Promise<Value>): Promise<Value> {
    const recalled = this.recall(db, key, now)
    if (recalled !== undefined) return recalled
    const known = this.#of(db).get(key)
    if (known) known.until = now + this.#lifetimes.read_ms_max
    const value = await read()
    this.remember(db, key, value, now)
    return value
  }

  forget(db: Database, key: Key): void {
    this.#of(db).delete(key)
  }

  forgetWhere(db: Database, isStale: (value: Value) => boolean): void {
    const entries = this.#of(db)
    for (const [key, { value }] of entries) if (isStale(value)) entries.delete(key)
  }

  clear(db: Database): void {
    this.#entries.delete(db)
  }

  #of(db: Database): Map<Key, Entry<Value>> {
    const known = this.#entries.get(db)
    if (known) return known
    const made = new Map<Key, Entry<Value>>()
    this.#entries.set(db, made)
    return made
  }
}

/** For what every request needs and hardly ever changes: a change is in force everywhere within `fresh_ms`. */
export const SHARED_LIFETIMES: Lifetimes = {
  fresh_ms: 5000,
  // Nobody uses older ones: an isolate that had nothing to do for an hour would charge by an old price.
  usable_ms: 15_000,
  read_ms_max: 1000,
}
