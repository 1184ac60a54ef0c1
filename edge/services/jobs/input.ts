import type { Operation } from '../../../shared/operations/operation.ts'
import type { Source } from '../../../shared/protocol/dispatch.ts'
import { jobQuery } from '../../db/jobs.ts'
import { rememberKind, uploadQuery } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import { SNIFF_BYTES, type SniffedKind, sniffKind } from '../../integrations/sniff.ts'
import { isPublicWebAddress } from '../../rules/addresses.ts'
import type { Caller } from '../../rules/caller.ts'
import { jobOf, keyOf } from '../../rules/files.ts'
import { ApiError } from '../api-error.ts'
import type { StoredResult } from './view.ts'

export interface JobInput {
  source: Source
  filename: string
}

const UNKNOWN_FILE = 'invalid file URL: no file of yours is there'

/**
 * Finds what params.file_url names: an upload or a result of the caller, or a public address.
 * Throws 400 for anything else, and for a file that is plainly of another kind than the operation takes.
 */
export async function findInput(
  deps: Deps,
  caller: Caller,
  operation: Operation,
  fileUrl: unknown,
): Promise<JobInput> {
  if (typeof fileUrl !== 'string' || fileUrl === '')
    throw new ApiError(400, 'invalid file URL: params.file_url is missing')
  const key = keyOf(deps.env.PUBLIC_URL, fileUrl)
  if (key === null) return importedInput(fileUrl)
  return jobOf(key) === null
    ? uploadedInput(deps, caller, operation, key)
    : resultInput(deps, caller, operation, key)
}

function importedInput(address: string): JobInput {
  const url = URL.parse(address)
  if (url === null || !isPublicWebAddress(url)) {
    throw new ApiError(
      400,
      'invalid file URL: it must be a public http or https address, or one that an upload returned',
    )
  }
  const filename = (url.pathname.split('/').at(-1) || 'file').slice(0, 255)
  return { source: { kind: 'url', url: address }, filename }
}

async function uploadedInput(
  deps: Deps,
  caller: Caller,
  operation: Operation,
  key: string,
): Promise<JobInput> {
  const [upload] = await uploadQuery(deps.db, key)
  if (upload === undefined || upload.accountId !== (caller.account?.id ?? null))
    throw new ApiError(400, UNKNOWN_FILE)
  if (upload.expiresAt <= deps.clock.now())
    throw new ApiError(400, 'invalid file URL: this upload has expired')
  requireKind(operation, upload.kind ?? (await lookAtUpload(deps, key)))
  return { source: { kind: 'object', key }, filename: upload.filename }
}

async function lookAtUpload(deps: Deps, key: string): Promise<SniffedKind> {
  const seen = await deps.storage.peek(key, SNIFF_BYTES)
  if (seen === null) throw new ApiError(400, 'invalid file URL: nothing has been uploaded there yet')
  const kind = await sniffKind(seen.head)
  deps.defer(rememberKind(deps.db, key, kind))
  return kind
}

async function resultInput(deps: Deps, caller: Caller, operation: Operation, key: string): Promise<JobInput> {
  const [job] = await jobQuery(deps.db, jobOf(key) ?? '')
  const owned = job !== undefined && caller.account !== null && job.accountId === caller.account.id
  const file = owned
    ? (job.result as StoredResult | null)?.files.find((candidate) => candidate.key === key)
    : undefined
  if (file === undefined) throw new ApiError(400, UNKNOWN_FILE)
  const [kind] = file.content_type.split('/')
  requireKind(operation, kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other')
  return { source: { kind: 'object', key }, filename: file.filename }
}

const NAMES: Record<SniffedKind, string> = {
  video: 'a video',
  image: 'an image',
  audio: 'an audio file',
  other: 'a file',
}

function requireKind({ service, key, accepts }: Operation, kind: SniffedKind): void {
  const fits = kind === 'other' || accepts.some((accepted) => accepted === kind)
  if (fits) return
  const wanted = accepts.map((accepted) => NAMES[accepted === 'link' ? 'other' : accepted]).join(' or ')
  throw new ApiError(400, `wrong file kind: ${service}/${key} takes ${wanted}, and this is ${NAMES[kind]}`)
}
