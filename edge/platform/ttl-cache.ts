import type { Database } from './database/client.ts'

/** A changed value is in force everywhere within this time, where the database answers. */
const FRESH_MS = 5000
/** Older ones nobody goes by: an isolate that had nothing to do for an hour would charge by an old price. */
const KNOWN_MS_MAX = 15_000
/** Whoever asks for longer was cut off, or waits for a database that has its hands full. */
const ASKING_MS_MAX = 1000

interface Memory<Value> {
  value: Value
  read_at: number
  /** Until then nobody asks anew. */
  until: number
}

/**
 * What every request needs and hardly ever changes: an isolate reads it every few seconds. While one request
 * asks anew the others go by what is known, so that a crowd doesn't ask all at once.
 */
export function readSeldom<Value>(read: (db: Database) => Promise<Value>) {
  const memories = new WeakMap<Database, Memory<Value>>()
  return {
    async load(db: Database, now: number): Promise<Value> {
      const known = memories.get(db)
      if (known && now < Math.min(known.until, known.read_at + KNOWN_MS_MAX)) return known.value
      if (known) known.until = now + ASKING_MS_MAX
      const value = await read(db)
      memories.set(db, { value, read_at: now, until: now + FRESH_MS })
      return value
    },
    /** What this isolate remembers is read again at once. */
    forget(db: Database): void {
      memories.delete(db)
    },
  }
}
