import { isPublicWebAddress } from '../../../shared/addresses.ts'
import type { Source } from '../../../shared/protocol/dispatch.ts'
import { jobQuery } from '../../db/jobs.ts'
import { rememberKind, uploadQuery } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import { SNIFF_BYTES, type SniffedKind, sniffKind } from '../../integrations/sniff.ts'
import type { Caller } from '../../rules/caller.ts'
import { jobOf, keyOf } from '../../rules/files.ts'
import { ApiError } from '../api-error.ts'
import type { StoredResult } from './view.ts'

/** A file that a submission names by its address. */
export interface WantedFile {
  /** The parameter, as the refusal names it: "file_url". */
  field: string
  address: unknown
  /** Who takes it, for the refusal: "video/trim". */
  taker: string
  accepts: readonly string[]
}

export interface FoundFile {
  source: Source
  filename: string
}

const FILENAME_LENGTH_MAX = 255
const ADDRESS_LENGTH_MAX = 4096

/**
 * Finds a file by its address: an upload or a result of the caller, or a public address that the fleet imports.
 * Throws 400 for anything else, and for a file that is plainly of another kind than is taken.
 */
export async function findFile(deps: Deps, caller: Caller, wanted: WantedFile): Promise<FoundFile> {
  const { address } = wanted
  if (typeof address !== 'string' || address === '') throw invalid(wanted, 'it is missing')
  const key = keyOf(deps.env.PUBLIC_URL, address)
  if (key === null) return importedFile(deps, wanted, address, 'url')
  return jobOf(key) === null ? uploadedFile(deps, caller, wanted, key) : resultFile(deps, caller, wanted, key)
}

/** The public video link of a link operation. Throws 400. */
export function findLink(deps: Deps, wanted: WantedFile): FoundFile {
  if (typeof wanted.address !== 'string') throw invalid(wanted, 'it is missing')
  return importedFile(deps, wanted, wanted.address, 'link')
}

function invalid({ field }: WantedFile, reason: string): ApiError {
  return new ApiError(400, `invalid file URL: params.${field}: ${reason}`)
}

const isNotYours = (wanted: WantedFile) => invalid(wanted, 'no file of yours is there')

function importedFile({ env }: Deps, wanted: WantedFile, address: string, kind: 'url' | 'link'): FoundFile {
  if (address.length > ADDRESS_LENGTH_MAX) {
    throw invalid(wanted, `it is longer than ${ADDRESS_LENGTH_MAX} characters`)
  }
  const url = URL.parse(address)
  if (url === null || !(isPublicWebAddress(url) || (env.ALLOW_PRIVATE_SOURCES && isWebAddress(url)))) {
    throw invalid(wanted, 'it must be a public http or https address, or one that an upload returned')
  }
  const filename = (url.pathname.split('/').at(-1) || 'file').slice(0, FILENAME_LENGTH_MAX)
  // As it was understood here, so that the fleet cannot read it otherwise.
  return { source: { kind, url: url.href }, filename }
}

function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

async function uploadedFile(deps: Deps, caller: Caller, wanted: WantedFile, key: string): Promise<FoundFile> {
  const [upload] = await uploadQuery(deps.db, key)
  if (upload === undefined || upload.accountId !== (caller.account?.id ?? null)) throw isNotYours(wanted)
  if (upload.expiresAt <= deps.clock.now()) throw invalid(wanted, 'this upload has expired')
  requireKind(wanted, upload.kind ?? (await lookAtUpload(deps, wanted, key)))
  return { source: { kind: 'object', key }, filename: upload.filename }
}

async function lookAtUpload(deps: Deps, wanted: WantedFile, key: string): Promise<SniffedKind> {
  const seen = await deps.storage.peek(key, SNIFF_BYTES)
  if (seen === null) throw invalid(wanted, 'nothing has been uploaded there yet')
  const kind = await sniffKind(seen.head)
  deps.defer(rememberKind(deps.db, key, kind))
  return kind
}

async function resultFile(deps: Deps, caller: Caller, wanted: WantedFile, key: string): Promise<FoundFile> {
  const [job] = await jobQuery(deps.db, jobOf(key) ?? '')
  const owned = job !== undefined && caller.account !== null && job.accountId === caller.account.id
  const result = owned ? (job.result as StoredResult | null) : null
  const file = result?.files.find((candidate) => candidate.key === key)
  if (file === undefined) throw isNotYours(wanted)
  const [kind] = file.content_type.split('/')
  requireKind(wanted, kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other')
  return { source: { kind: 'object', key }, filename: file.filename }
}

const NAMES: Record<string, string> = {
  video: 'a video',
  image: 'an image',
  audio: 'an audio file',
  text: 'a text file',
}

function requireKind({ taker, accepts, field }: WantedFile, kind: SniffedKind): void {
  if (kind === 'other' || accepts.includes(kind)) return
  const taken = accepts.map((accepted) => NAMES[accepted]).join(' or ')
  throw new ApiError(400, `wrong file kind: ${taker} takes ${taken} as ${field}, and this is ${NAMES[kind]}`)
}
