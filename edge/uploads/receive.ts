import { type Caller, sourceOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { purgeUpload } from '../jobs/purge.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError, invalidField, toError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import type { Refusal } from '../platform/errors/rules/table.ts'
import { FormError, type FormFile, readForm } from '../platform/http/multipart-form.ts'
import { addressSubject } from '../platform/http/subjects.ts'
import { insertOpenUpload } from './insert-open-upload.ts'
import { newUpload } from './new-upload.ts'
import { measureStatements } from './queries.ts'
import { countUpload } from './quota.ts'
import { openReservation } from './reservation.ts'
import { addressOf } from './rules/addresses.ts'
import { formBytesMax, judgeUpload, PROXIED_BYTES_MAX } from './rules/limits.ts'
import { bareType, DECLARED_TYPE } from './rules/media-types.ts'
import { SNIFF_BYTES, sniffKind } from './sniff.ts'

/** Maximum size of the form without its file: fields and multipart boundaries. */
const FORM_BYTES_MAX = 8 * 1024 * 1024
const UNKNOWN_TYPE = 'application/octet-stream'

export interface ReceivedUpload {
  url: string
  key: string
  filename: string
  content_type: string
  size_bytes: number
}

type Fields = Readonly<Record<string, string>>

/** @param fields the fields that precede the file. */
type JudgeFile = (file: { size_bytes: number; content_type: string }, fields: Fields) => Refusal | null

/**
 * Receives a multipart form. Streams its file to storage and returns its other fields as text, with a digest of the
 * content if the request has an Idempotency-Key. Throws 413 and 415 for the file, 422 if there is no file, and 429.
 * Contract: Uploads, Form upload; Upload limits.
 * @param judge validates the file further while it is being received.
 */
export async function receiveForm(
  deps: Deps,
  caller: Caller,
  request: Request,
  judge: JudgeFile = () => null,
) {
  // Refuses a file that is far too large before its body is received.
  requireAllowed(deps, Number(request.headers.get('content-length') ?? 0) - FORM_BYTES_MAX, UNKNOWN_TYPE)
  await countUpload(deps, caller, addressSubject(request.headers))
  const contentType = request.headers.get('content-type') ?? ''
  let stored: ReceivedUpload | null = null
  try {
    const body = request.body ?? new Blob([]).stream()
    const bytes_max = formBytesMax(deps.env.MAX_UPLOAD_GB, request.headers.get('content-length'))
    const receiveFile = async (file: FormFile, before: Fields) => {
      stored = await storeFile(deps, caller, { ...file, bytes_max }, (seen) => judge(seen, before))
      return stored
    }
    const isKeyed = request.headers.has('idempotency-key')
    const { fields, received, digest } = await readForm(body, contentType, receiveFile, isKeyed)
    if (received === null && fields.file !== undefined) throw new FormError('file_as_text')
    if (received === null) throw invalidField('file', 'file_missing')
    return { fields, upload: received, digest }
  } catch (error) {
    // The form was refused after its file, or its connection was lost.
    if (stored !== null) deps.defer(purgeUpload(deps, (stored as ReceivedUpload).key))
    if (!(error instanceof FormError)) throw error
    const fault = faultAt(['body'], 'form_invalid', { reason: error.fault, field: error.field })
    throw new ApiError('validation_failed', { faults: [fault] })
  }
}

/** Receives an upload as a form. */
export async function receiveUpload(deps: Deps, caller: Caller, request: Request): Promise<ReceivedUpload> {
  return (await receiveForm(deps, caller, request)).upload
}

/** Stores a file. Until its size is known, it counts with the largest size that it can have. */
async function storeFile(
  deps: Deps,
  caller: Caller,
  file: FormFile & { bytes_max: number },
  judge: (file: { size_bytes: number; content_type: string }) => Refusal | null,
): Promise<ReceivedUpload> {
  const content_type = DECLARED_TYPE.test(file.content_type) ? bareType(file.content_type) : UNKNOWN_TYPE
  const requireAllowedSize = (size_bytes: number) => {
    requireAllowed(deps, size_bytes, content_type)
    const refusal = judge({ size_bytes, content_type })
    if (refusal !== null) throw toError(refusal)
  }
  requireAllowedSize(0)
  const announced = { filename: file.filename, content_type, size_bytes: file.bytes_max }
  const upload = await newUpload(deps, caller, announced)
  const { key, filename, expiresAt } = upload
  const reservation = openReservation(deps, key)
  // The row is inserted first so that the file is always found and deleted after it expires.
  await insertOpenUpload(deps, caller, { ...upload, expiresAt: reservation.expires_at })
  try {
    const seen = { size_bytes: 0, head: new Uint8Array(0) }
    const checked = observe(reservation.hold(file.content), seen, requireAllowedSize)
    const etag = await deps.storage.putStream(key, checked, content_type)
    const { size_bytes } = seen
    if (size_bytes === 0) throw invalidField('file', 'file_empty')
    await reservation.renew()
    const found = { sizeBytes: size_bytes, kind: await sniffKind(seen.head), etag, expiresAt }
    const finding = { source: sourceOf(caller), now: deps.clock.now() }
    await commit(deps.db, measureStatements(deps.db, key, found, finding))
    return { url: addressOf(deps.env.PUBLIC_URL, key), key, filename, content_type, size_bytes }
  } catch (error) {
    deps.defer(purgeUpload(deps, key))
    throw error
  }
}

/** Throws 413 and 415 if the file is not allowed. */
function requireAllowed({ env }: Deps, size_bytes: number, content_type: string): void {
  const refusal = judgeUpload({ size_bytes, content_type }, env.MAX_UPLOAD_GB, PROXIED_BYTES_MAX)
  if (refusal !== null) throw toError(refusal)
}

/** Passes chunks through while recording their total size and the first bytes. */
async function* observe(
  chunks: AsyncIterable<Uint8Array>,
  seen: { size_bytes: number; head: Uint8Array },
  check: (size_bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    seen.size_bytes += chunk.length
    check(seen.size_bytes)
    if (seen.head.length < SNIFF_BYTES) {
      const more = chunk.subarray(0, SNIFF_BYTES - seen.head.length)
      const head = new Uint8Array(seen.head.length + more.length)
      head.set(seen.head)
      head.set(more, seen.head.length)
      seen.head = head
    }
    yield chunk
  }
}
