import { readError } from '../../client/src/error.ts'
import { MediaError, type UploadLink, type UploadLinkState } from '../../client/src/index.ts'
import { pause } from '../../client/src/retry.ts'
import { media } from '../api/media.ts'
import { transfer } from '../api/transfer.ts'
import { locale } from '../text/locale.ts'
import { typeOf } from './file-types.ts'

export interface Sending {
  token: string
  link: Pick<UploadLink, 'form_size_bytes_max'>
  file: File
  signal: AbortSignal
  onProgress: (fraction: number) => void
  /** Called when the file is stored, and again with the reason while its job cannot start. */
  onStored: (wait: MediaError | null) => void
}

/**
 * Sends a file through an upload link and starts its job: directly to storage, or through the service if storage is
 * blocked.
 * @throws MediaError if the file is refused or the connection fails; the reason of the signal after an abort
 */
export async function sendFile(sending: Sending): Promise<void> {
  const is_stored = await putFile(sending)
  if (is_stored || !(await postForm(sending))) await completeUpload(sending)
}

/** @returns false if storage cannot be reached, and the file is small enough for a form */
async function putFile({ token, link, file, signal, onProgress }: Sending): Promise<boolean> {
  const fits_form = file.size <= link.form_size_bytes_max
  const content_type = typeOf(file)
  const announced = { filename: file.name.slice(0, 255) || 'file', content_type, size_bytes: file.size }
  const {
    method,
    put_url: url,
    headers,
  } = await media.value.uploadLinks.presign(token, announced, { signal })
  try {
    const { ok, status } = await transfer({ method, url, headers, body: file }, onProgress, signal)
    if (ok) return true
    throw new MediaError(`Storage responded with status ${status}.`, { code: 'network_error' })
  } catch (error) {
    if (!(error instanceof MediaError) || !fits_form) throw error
    return false
  }
}

/** @returns true if the job has started; false if the file is stored, but its job has to wait */
async function postForm({ token, file, signal, onProgress }: Sending): Promise<boolean> {
  const body = new FormData()
  body.set('file', new File([file], file.name, { type: typeOf(file) }))
  const url = `/api/v1/upload-links/${encodeURIComponent(token)}/file`
  const headers = { 'accept-language': locale.value }
  const response = await transfer({ method: 'POST', url, headers, body }, onProgress, signal)
  if (response.ok) return true
  const error = await readError(response)
  if (error.code === 'upload_link_busy') return false
  throw error
}

const PATIENCE_MS = 30 * 60 * 1000
const PAUSE_S = 5
const PAUSE_S_MAX = 60
/** Temporary statuses: network errors, rate limits, maintenance and restarts. */
const TEMPORARY = [0, 429, 500, 502, 503, 504]
/** The link was used, which means that the first response was lost; or its owner could not pay. */
const SETTLED = [402, 409]

/** Reports the upload as complete, and retries temporary errors. */
async function completeUpload({ token, signal, onStored }: Sending): Promise<void> {
  const begun = Date.now()
  onStored(null)
  for (;;) {
    try {
      await media.value.uploadLinks.complete(token, {}, { signal })
      return
    } catch (error) {
      if (!(error instanceof MediaError)) throw error
      if (SETTLED.includes(error.status)) return
      if (!TEMPORARY.includes(error.status) || Date.now() - begun > PATIENCE_MS) throw error
      onStored(error)
      await pause(Math.min(error.retryAfter ?? PAUSE_S, PAUSE_S_MAX) * 1000, signal)
    }
  }
}

const OPEN: UploadLinkState['status'][] = ['pending', 'uploading']

/** Checks whether a link still accepts a file: a refused file can have used it. */
export async function isLinkOpen(token: string): Promise<boolean> {
  const state = await media.value.uploadLinks.getStatus(token).catch(() => null)
  return state === null || OPEN.includes(state.status)
}
