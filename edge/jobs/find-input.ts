import { isPublicWebAddress } from '../../shared/addresses.ts'
import { fileNameIn } from '../../shared/file-names.ts'
import type { Source } from '../../shared/protocol/dispatch.ts'
import { type Caller, ownsFile, sourceOf, tierOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { atHome } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { FILE_URL_HELP, type FileUrlFault } from '../platform/errors/rules/operations.ts'
import { sentencesOf } from '../platform/errors/rules/table.ts'
import { loadSettings } from '../settings/queries.ts'
import { loadFolders } from '../storage-connections/grant.ts'
import {
  isObjectKey,
  isStorageAddress,
  keyInBucket,
  readAddress,
} from '../storage-connections/rules/object-keys.ts'
import { type Content, rememberContents, type Upload, uploadsQuery } from '../uploads/queries.ts'
import { keyOf, plainName, resultIdOf } from '../uploads/rules/addresses.ts'
import { judgeContent } from '../uploads/rules/parts.ts'
import { SNIFF_BYTES, type SniffedKind, sniffKind } from '../uploads/sniff.ts'
import { purgeUpload } from './purge.ts'
import { jobsByResultQuery, type StoredJob } from './queries.ts'
import { outlastsJob } from './rules/retention.ts'
import { uploadLifeMs } from './rules/submission.ts'
import { resultKeysOf } from './view.ts'

/** A file that a submission refers to by URL. */
export interface RequestedFile {
  /** Parameter name for error messages, such as "file_url". */
  field: string
  /** Path of the parameter in the request; defaults to "params.file_url". */
  place?: string
  address: unknown
  /** Operation that reads the file, for error messages, such as "video/trim". */
  operation_name: string
  accepts: readonly string[]
}

export interface FoundFile {
  source: Source
  filename: string
  /** Absent if the fleet imports the file. */
  input_bytes?: number
}

const ADDRESS_LENGTH_MAX = 4096

/**
 * Resolves file URLs in order. Each must be one of the caller's uploads or results, an object in the caller's own
 * storage, or a public URL; the fleet imports the last two. Throws 400 for anything else and for an unsupported kind of
 * file.
 */
export async function findFiles(
  deps: Deps,
  caller: Caller,
  requested: readonly RequestedFile[],
): Promise<FoundFile[]> {
  const keys = requested.flatMap(({ address }) => keyIn(deps, address) ?? [])
  const [known, settings] = await Promise.all([
    loadFiles(deps, [...new Set(keys)]),
    loadSettings(deps.db, deps.clock.now()),
  ])
  const folders = await loadConnectionFolders(deps, caller, requested)
  const lives_ms = uploadLifeMs(settings, tierOf(caller, deps.clock.now()))
  const looking = requested.map(async (file) => {
    const address = requireText(file)
    if (address === '') throw invalid(file, 'missing')
    if (isStorageAddress(address)) return storedFile(file, address, folders)
    const key = keyIn(deps, address)
    if (key === null) return importedFile(deps, file, address, 'url')
    if (resultIdOf(key) === null)
      return uploadedFile(deps, caller, file, { upload: known.uploads.get(key), lives_ms })
    return resultFile(deps, caller, file, { key, job: known.jobs.get(key), lives_ms })
  })
  const found = await Promise.all(looking)
  const seen = new Map(found.flatMap(({ seen }) => (seen === undefined ? [] : [seen])))
  const finding = { source: sourceOf(caller), now: deps.clock.now() }
  if (seen.size > 0) deps.defer(rememberContents(deps.db, seen, finding))
  return found.map(({ seen: _, ...file }) => file)
}

/** Loads the folders of the caller's storage connections, if a file is in one of them. */
async function loadConnectionFolders(
  deps: Deps,
  { account }: Caller,
  requested: readonly RequestedFile[],
): Promise<ReadonlyMap<string, string>> {
  const isNeeded = requested.some(({ address }) => typeof address === 'string' && isStorageAddress(address))
  return isNeeded && account !== null ? loadFolders(deps, account.id) : new Map()
}

/** Resolves a file in the caller's own storage, which the fleet imports. */
function storedFile(requested: RequestedFile, text: string, folders: ReadonlyMap<string, string>): LookedAt {
  const address = readAddress(text)
  if (address === null) throw invalid(requested, 'not_a_storage_address')
  const folder = folders.get(address.name)
  if (folder === undefined) throw invalid(requested, 'unknown_storage')
  if (!isObjectKey(keyInBucket(folder, address.key))) throw invalid(requested, 'not_a_storage_address')
  const filename = plainName(address.key.split('/').at(-1) ?? '')
  return { source: { kind: 'storage', address: text }, filename }
}

function keyIn({ env }: Deps, address: unknown): string | null {
  return typeof address === 'string' ? keyOf(env.PUBLIC_URL, address) : null
}

/** Loads uploads and results by key. Files that the caller sent before signing in are in the home. */
export async function loadFiles(deps: Deps, keys: string[]) {
  const own = await loadFilesFrom(deps, keys)
  const missing = keys.filter((key) => !own.uploads.has(key) && !own.jobs.has(key))
  const home = atHome(deps)
  if (home.db === deps.db || missing.length === 0) return own
  const sent = await loadFilesFrom(home, missing)
  return {
    uploads: new Map([...own.uploads, ...sent.uploads]),
    jobs: new Map([...own.jobs, ...sent.jobs]),
  }
}

/** Loads uploads and results by key in one round trip, or in none if there are no keys. */
async function loadFilesFrom({ db }: Deps, keys: string[]) {
  const resultIds = [...new Set(keys.flatMap((key) => resultIdOf(key) ?? []))]
  const uploadKeys = keys.filter((key) => resultIdOf(key) === null)
  const [uploads, jobs] = await Promise.all([
    uploadKeys.length === 0 ? [] : uploadsQuery(db, uploadKeys),
    resultIds.length === 0 ? [] : jobsByResultQuery(db, resultIds),
  ])
  return {
    uploads: new Map(uploads.map((upload) => [upload.key, upload])),
    /** Jobs, keyed by the storage keys of their result files. */
    jobs: new Map(jobs.flatMap((job) => resultKeysOf(job).map((key) => [key, job]))),
  }
}

/** Resolves the public video URL of a link operation. Throws 400 if it is invalid. */
export function findLink(deps: Deps, requested: RequestedFile): FoundFile {
  return importedFile(deps, requested, requireText(requested), 'link')
}

function requireText(requested: RequestedFile): string {
  const { address } = requested
  if (typeof address !== 'string') {
    throw invalid(requested, address === undefined || address === null ? 'missing' : 'not_a_string')
  }
  if (address.length <= ADDRESS_LENGTH_MAX) return address
  throw invalid(requested, 'too_long')
}

function placeOf({ field, place = `params.${field}` }: RequestedFile): string {
  return place
}

function invalid(file: RequestedFile, reason: FileUrlFault): ApiError {
  const facts = { param: placeOf(file), reason, is_link: file.field === 'url' }
  const help = typeof reason === 'string' ? FILE_URL_HELP[reason] : undefined
  return new ApiError('invalid_file_url', facts, { help })
}

function importedFile(
  { env }: Deps,
  requested: RequestedFile,
  address: string,
  kind: 'url' | 'link',
): LookedAt {
  if (address.startsWith(`${env.S3_ENDPOINT}/${env.S3_BUCKET}/`)) throw invalid(requested, 'put_url')
  const url = URL.parse(address)
  if (url === null || !(isPublicWebAddress(url) || (env.ALLOW_PRIVATE_SOURCES && isWebAddress(url)))) {
    throw invalid(requested, kind === 'url' ? 'not_public' : 'not_a_public_link')
  }
  const filename = plainName(fileNameIn(url.pathname.split('/').at(-1) ?? ''))
  // Uses the parsed URL, so the fleet cannot parse it differently.
  return { source: { kind, url: url.href }, filename }
}

function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** `seen` is the key and content of an upload that was checked for the first time. */
type LookedAt = FoundFile & { seen?: [string, Content] }

async function uploadedFile(
  deps: Deps,
  caller: Caller,
  requested: RequestedFile,
  { upload, lives_ms }: { upload: Upload | undefined; lives_ms: number },
): Promise<LookedAt> {
  if (upload === undefined || !ownsFile(caller, upload)) throw invalid(requested, 'not_yours')
  const { key, filename, sizeBytes: input_bytes } = upload
  const times = { made_at: upload.createdAt, expires_at: upload.expiresAt }
  if (!outlastsJob(times, lives_ms, deps.clock.now())) throw invalid(requested, 'upload_expired')
  const known = contentOf(upload)
  const content = known ?? (await examineUpload(deps, requested, upload))
  requireKind(requested, content.kind)
  // The signature of the upload may still be valid, so the object can change until the fleet reads it.
  const source = { kind: 'object' as const, key, etag: content.etag }
  const found = { source, filename, input_bytes }
  return known === null ? { ...found, seen: [key, content] } : found
}

function contentOf({ kind, etag }: Upload): Content | null {
  return kind === null || etag === null ? null : { kind, etag }
}

/**
 * Checks an uploaded file against its declaration. Throws 400 if the file is missing or does not match, and deletes
 * a file that does not match.
 */
async function examineUpload(deps: Deps, requested: RequestedFile, upload: Upload): Promise<Content> {
  const { key, sizeBytes: size_bytes, contentType: content_type } = upload
  const seen = await deps.storage.peek(key, SNIFF_BYTES)
  if (seen === null) throw invalid(requested, 'not_uploaded')
  const kind = await sniffKind(seen.head)
  const found = { size_bytes: seen.sizeBytes, kind, content_encoding: seen.contentEncoding }
  const refusal = judgeContent({ size_bytes, content_type }, found)
  if (refusal === null) return { kind, etag: seen.etag }
  deps.defer(purgeUpload(deps, key))
  throw invalid(requested, { sentence: sentencesOf(refusal) })
}

function resultFile(
  { clock }: Pick<Deps, 'clock'>,
  caller: Caller,
  requested: RequestedFile,
  { key, job, lives_ms }: { key: string; job: StoredJob | undefined; lives_ms: number },
): LookedAt {
  const result = job !== undefined && ownsFile(caller, job) ? job.result : null
  const file = result?.files.find((candidate) => candidate.key === key)
  if (file === undefined) throw invalid(requested, 'not_yours')
  const times = { made_at: job?.finishedAt ?? 0, expires_at: job?.expiresAt ?? 0 }
  if (!outlastsJob(times, lives_ms, clock.now())) throw invalid(requested, 'result_expired')
  const [kind] = file.content_type.split('/')
  requireKind(requested, kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other')
  return { source: { kind: 'object', key }, filename: file.filename, input_bytes: file.size_bytes }
}

function requireKind(file: RequestedFile, kind: SniffedKind): void {
  const { operation_name: operation, accepts: accepted } = file
  if (kind === 'other' || accepted.includes(kind)) return
  throw new ApiError('wrong_file_kind', { operation, param: placeOf(file), accepted, found: kind })
}
