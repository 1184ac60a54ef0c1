import type { Deps } from '../../deps.ts'
import { TtlCache } from '../ttl-cache.ts'
import type { Database } from './client.ts'
import { databaseNumberOf } from './ids.ts'
import { requireAllKnown } from './known-databases.ts'
import { findNotedNumber } from './place-queries.ts'

/** Where a row is, and the row. */
export interface Place<Found> {
  deps: Deps
  found: Found
}

/** How long the database of a row is cached that is not where its id says, because its account has moved. */
const FRESH_MS = 60_000
const places = new TtlCache<string, Database>({ fresh_ms: FRESH_MS })

/** Whether accounts are spread over several databases. */
export function isSpread({ databases }: Pick<Deps, 'databases'>): boolean {
  return databases.length > 1
}

/** Returns the same dependencies for the account of another database. */
export function atDatabase(deps: Deps, db: Database): Deps {
  return db === deps.db ? deps : { ...deps, db }
}

/** Returns the dependencies for the home, where everything is that belongs to no account. */
export function atHome(deps: Deps): Deps {
  return isSpread(deps) ? atDatabase(deps, deps.databases[0]) : deps
}

/** Returns the database where an id was found last, or else the one that it names. No round trip. */
export function guessDatabase(deps: Deps, id: string): Database {
  if (!isSpread(deps)) return deps.db
  const known = places.recall(deps.databases[0], id, deps.clock.now())
  return known ?? deps.databases[databaseNumberOf(id)] ?? deps.databases[0]
}

/**
 * Finds a row by an id or another text that may name its database. Asks the named database, and all others concurrently only
 * if it is not there. With one database, this is one query.
 */
export async function findPlace<Found>(
  deps: Deps,
  id: string,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const guessed = atDatabase(deps, guessDatabase(deps, id))
  const found = (await find(guessed)) ?? null
  if (found !== null) return { deps: guessed, found }
  return findElsewhere(deps, id, guessed.db, find)
}

/**
 * Like findPlace, for credentials: a move notes in the home where it moved them. An unknown one is looked for only in the
 * database that it names and in the home, before the limits of its sender count.
 * @param name under which a move notes the place
 */
export async function findNotedPlace<Found>(
  deps: Deps,
  id: string,
  name: string,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const guessed = guessDatabase(deps, id)
  const place = await askAll([atDatabase(deps, guessed)], find)
  if (place !== null) return place
  const moved = isSpread(deps) ? await findMoved(deps, name, guessed, find) : null
  if (moved === null) await requireAllKnown(deps)
  else places.remember(deps.databases[0], id, moved.deps.db, deps.clock.now())
  return moved
}

async function findMoved<Found>(
  deps: Deps,
  name: string,
  except: Database,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const noted = deps.databases[(await findNotedNumber(deps.databases[0], name)) ?? -1]
  if (noted === undefined || noted === except) return null
  return askAll([atDatabase(deps, noted)], find)
}

/** Asks all databases except one concurrently, and remembers the answer for a short time. */
export async function findElsewhere<Found>(
  deps: Deps,
  id: string,
  except: Database,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const others = deps.databases.filter((db) => db !== except).map((db) => atDatabase(deps, db))
  const place = isSpread(deps) ? await askAll(others, find) : null
  if (place === null) await requireAllKnown(deps)
  else places.remember(deps.databases[0], id, place.deps.db, deps.clock.now())
  return place
}

const NOTHING = new Error('the database has no such row')

/**
 * Returns what a database finds, as soon as one does. Throws only if none finds anything and one could not be asked, so a
 * database that is slow or down delays only accounts that may be in it.
 */
async function askAll<Found>(
  all: readonly Deps[],
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const asked = all.map(async (deps) => {
    const found = await find(deps)
    if (found === null || found === undefined) throw NOTHING
    return { deps, found }
  })
  try {
    return await Promise.any(asked)
  } catch (error) {
    const failures = error instanceof AggregateError ? error.errors : [error]
    const failure = failures.find((each) => each !== NOTHING)
    if (failure !== undefined) throw failure
    return null
  }
}

/** Returns the dependencies for each database. */
export function everyDatabase(deps: Deps): Deps[] {
  return isSpread(deps) ? deps.databases.map((db) => atDatabase(deps, db)) : [deps]
}

/** Returns the dependencies for the database that has a row; unchanged if none has it. No query with one database. */
export async function atRow<Found>(
  deps: Deps,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Deps> {
  return isSpread(deps) ? ((await findAnywhere(deps, find))?.deps ?? deps) : deps
}

/** Asks all databases concurrently, for example for an email address, which names none. */
export async function findAnywhere<Found>(
  deps: Deps,
  find: (deps: Deps) => Promise<Found | null | undefined>,
): Promise<Place<Found> | null> {
  const place = await askAll(everyDatabase(deps), find)
  if (place === null) await requireAllKnown(deps)
  return place
}
