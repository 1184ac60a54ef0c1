import type { Database } from './database/client.ts'

interface Lifetimes {
  /** Age after which a value is read again. */
  fresh_ms: number
  /** Up to this age, other requests use the cached value while one request refreshes it. */
  usable_ms?: number
  /**
   * Time after which another read may start, because the first one was canceled with its request or is waiting for
   * a busy database.
   */
  read_ms_max?: number
}

interface Entry<Value> {
  value: Value
  read_at: number
  /** No other read starts until this time. */
  until: number
}

const ENTRIES_MAX = 10_000

/**
 * Caches database values per isolate. Reads are single flight while a cached value is usable. Requests never await
 * each other's reads, because the runtime cancels a read together with the request that started it.
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

  /**
   * Stores a value.
   * @param until when the value expires, if that is sooner than usual.
   */
  remember(db: Database, key: Key, value: Value, now: number, until = Number.POSITIVE_INFINITY): void {
    const entries = this.#of(db)
    if (entries.size >= ENTRIES_MAX) entries.clear()
    entries.set(key, { value, read_at: now, until: Math.min(now + this.#lifetimes.fresh_ms, until) })
  }

  /** Returns the cached value, or reads it if there is none. */
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

/**
 * Lifetimes of values that every request needs and that rarely change. A change takes effect everywhere within
 * `fresh_ms`.
 */
export const SHARED_LIFETIMES: Lifetimes = {
  fresh_ms: 5000,
  // Limits the age so that an isolate that was idle for an hour does not charge an old price.
  usable_ms: 15_000,
  read_ms_max: 1000,
}
