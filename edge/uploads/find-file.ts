import { type AccountCaller, type FileOwner, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { jobsByResultQuery } from '../jobs/queries.ts'
import { resultKeysOf } from '../jobs/view.ts'
import { atDatabase, findElsewhere, guessDatabase, isSpread } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { placeRange, type ReadConditions, type RequestedRange } from '../platform/storage/rules/ranges.ts'
import { uploadQuery } from './queries.ts'
import { keyOf, resultIdOf } from './rules/addresses.ts'

/** The part of a file that a client wants, and its conditions. */
export interface FileRequest {
  range: RequestedRange | null
  conditions: ReadConditions
  /** The range applies only to the file with this entity tag; otherwise the whole file is sent. */
  if_range: string | null
}

export interface FoundFile {
  /** Without a body if a condition is not met. */
  object: R2ObjectBody | R2Object
  /** The returned range; null for the whole file. */
  part: { offset: number; length: number } | null
}

/**
 * Finds a file for anyone who knows its URL. Throws 416 for a range outside the file.
 * @returns null for an unknown, deleted or expired file
 */
export async function findFile(deps: Deps, key: string, wanted: FileRequest): Promise<FoundFile | null> {
  return (await findKeptFile(deps, key)) === null ? null : readObject(deps, key, wanted)
}

/**
 * Finds one of the caller's files. Throws 400 for a URL on another site, 404 for a cross-tenant, deleted or expired
 * file, and 416 for a range outside the file.
 */
export async function findOwnFile(
  deps: Deps,
  caller: AccountCaller,
  url: string,
  wanted: FileRequest,
): Promise<FoundFile> {
  const key = keyOf(deps.env.PUBLIC_URL, url)
  if (key === null) throw new ApiError('invalid_file_url', { param: 'url', reason: 'not_here' })
  const file = await findKeptFile(deps, key)
  if (file === null || !ownsFile(caller, file)) throw unknownFile()
  const found = await readObject(deps, key, wanted)
  if (found === null) throw unknownFile()
  return found
}

/** The same error is used in all cases so that it reveals nothing about other accounts' files. */
export const unknownFile = () => new ApiError('file_not_found')

/**
 * Returns the database record of a file. Storage may still contain files that have expired or were deleted, and
 * files from superseded attempts.
 * @returns null for a file that must not be served.
 */
async function findKeptFile(deps: Deps, key: string): Promise<FileOwner | null> {
  const [, id = ''] = key.split('/')
  const guessed = atDatabase(deps, guessDatabase(deps, id))
  const own = await findRecord(guessed, key)
  if (own !== null) return own
  // Readers of files are not counted, so other databases are asked only about files that exist.
  if (isSpread(deps) && !(await deps.storage.exists(key))) return null
  const place = await findElsewhere(deps, id, guessed.db, (other) => findRecord(other, key))
  return place?.found ?? null
}

async function findRecord({ db, clock }: Deps, key: string): Promise<FileOwner | null> {
  const id = resultIdOf(key)
  const [file] =
    id === null
      ? await uploadQuery(db, key)
      : (await jobsByResultQuery(db, [id])).filter((job) => resultKeysOf(job).includes(key))
  return file !== undefined && (file.expiresAt ?? 0) > clock.now() ? file : null
}

async function readObject(
  { storage }: Deps,
  key: string,
  { range, conditions, if_range }: FileRequest,
): Promise<FoundFile | null> {
  const object = await storage.get(key, range, conditions)
  if (object === null) return null
  if (range === null) return { object, part: null }
  if (if_range !== null && if_range !== object.httpEtag) {
    const whole = await storage.get(key, null, conditions)
    return { object: whole ?? object, part: null }
  }
  const part = placeRange(range, object.size)
  if (part !== null) return { object, part }
  const headers = { 'content-range': `bytes */${object.size}` }
  throw new ApiError('range_not_satisfiable', undefined, { headers })
}
