import { effect, untracked } from '@preact/signals'
import { MediaError } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { isSignedIn, onForget } from '../../api/session.ts'
import { items, updateUpload, WAITING, type WorkItem } from './items.ts'
import { isFinalRefusal } from './schedule.ts'

/** More files at a time would only slow each other down: large files already use several connections. */
const CONCURRENT_UPLOADS = 3

const controllers = new Map<string, AbortController>()

/** Uploads waiting files, a few at a time, as long as the page is open. */
export function startUploading(): void {
  effect(() => {
    const uploads = items.value.map((item) => ({ item, status: item.upload.value.status }))
    const count = uploads.filter(({ status }) => status === 'uploading').length
    const waiting = uploads.filter(({ status }) => status === 'waiting').map(({ item }) => item)
    for (const item of waiting.slice(0, Math.max(0, CONCURRENT_UPLOADS - count))) {
      untracked(() => void upload(item))
    }
  })
  onForget(() => {
    for (const controller of controllers.values()) controller.abort()
  })
  // A connection that is back continues what its loss has ended.
  addEventListener('online', () => {
    for (const item of items.value) {
      const { status, error } = item.upload.value
      if (status === 'failed' && !isFinalRefusal(error)) resumeUpload(item)
    }
  })
  // So does a sign-in, when the session has ended during an upload.
  effect(() => {
    if (!isSignedIn.value) return
    untracked(() => {
      for (const item of items.value) if (needsSignIn(item)) resumeUpload(item)
    })
  })
}

/** Checks whether an upload has failed because its session has ended, or because visitors may send only a few files. */
export function needsSignIn({ upload: { value } }: WorkItem): boolean {
  const { status, error } = value
  if (status !== 'failed' || !(error instanceof MediaError)) return false
  return error.status === 401 || error.code === 'too_many_uploads'
}

/** Uploads the file of an item in parts, which a later attempt continues. */
async function upload(item: WorkItem): Promise<void> {
  const file = item.file.value
  if (file === null) return updateUpload(item, { status: 'file_missing' })
  const controller = new AbortController()
  controllers.set(item.id, controller)
  updateUpload(item, { status: 'uploading', started: null, error: null })
  try {
    const { url } = await media.value.uploads.file(file, {
      signal: controller.signal,
      handle: item.upload.value.handle,
      onHandle: (handle) => updateUpload(item, { handle }),
      onProgress: ({ fraction }) => onProgress(item, fraction),
    })
    updateUpload(item, { status: 'done', fraction: 1, url })
  } catch (error) {
    if (!controller.signal.aborted) updateUpload(item, { status: 'failed', error })
  } finally {
    if (controllers.get(item.id) === controller) controllers.delete(item.id)
  }
}

function onProgress(item: WorkItem, fraction: number): void {
  const { status, started } = item.upload.value
  if (status !== 'uploading') return
  updateUpload(item, { fraction, started: started ?? { at_ms: Date.now(), fraction } })
}

export function pauseUpload(item: WorkItem): void {
  updateUpload(item, { status: 'paused' })
  controllers.get(item.id)?.abort()
}

/** Continues a paused upload, or tries a failed one again. */
export function resumeUpload(item: WorkItem): void {
  updateUpload(item, { status: 'waiting', error: null })
}

/** Notes that storage no longer has the file of an item. It is sent again only if the user asks for it. */
export function forgetUpload(item: WorkItem): void {
  if (item.link === null) updateUpload(item, { ...WAITING, status: 'paused' })
}

/**
 * Continues an upload whose file the browser could not keep over a reload.
 * @returns false if it is another file
 */
export function chooseFileAgain(item: WorkItem, file: File): boolean {
  if (file.name !== item.name || file.size !== item.size_bytes) return false
  item.file.value = file
  resumeUpload(item)
  return true
}

/** Ends the upload of an item that is removed, and deletes its parts. */
export function stopUpload(item: WorkItem): void {
  pauseUpload(item)
  const { handle } = item.upload.value
  // Parts that cannot be deleted now expire by themselves.
  if (handle !== null) media.value.uploads.abortMultipart(handle).catch(() => undefined)
}
