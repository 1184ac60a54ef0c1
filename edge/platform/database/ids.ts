import type { Database } from './client.ts'

/** Ids of one block, which one database assigns. */
export const BLOCK_IDS = 100_000_000_000
/** Numbers of later blocks would not be exact in JavaScript. */
export const BLOCKS_MAX = Math.floor(Number.MAX_SAFE_INTEGER / BLOCK_IDS)

/** A UUID of version 8 (RFC 9562): the last 12 bits are the number of a database. Those of the home have version 4. */
const NUMBERED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{9}([0-9a-f]{3})$/

/**
 * Makes a random id that names the database of its row. It is only a hint: the account of the row may have moved to
 * another database since.
 */
export function makeId({ $number }: Pick<Database, '$number'>): string {
  const id = crypto.randomUUID()
  if ($number === 0) return id
  return `${id.slice(0, 14)}8${id.slice(15, 33)}${$number.toString(16).padStart(3, '0')}`
}

/** Ends other texts, such as API keys, with the number of a database. */
const SUFFIX = /~([1-9]\d{0,3})$/

/** Returns what is appended to a text that must name the database of its row; nothing for the home. */
export function numberSuffix({ $number }: Pick<Database, '$number'>): string {
  return $number === 0 ? '' : `~${$number}`
}

/** Returns the number of the database that an id or another text names; 0 if it names none. */
export function databaseNumberOf(text: string): number {
  return Number.parseInt(NUMBERED.exec(text)?.[1] ?? '0', 16) || Number(SUFFIX.exec(text)?.[1] ?? 0)
}
