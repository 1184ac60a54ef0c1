import { effect, untracked } from '@preact/signals'
import { media } from '../../api/media.ts'
import { items, updateUpload, type WorkItem } from './items.ts'

/** More files at a time would only slow each other down: large files already use several connections. */
const CONCURRENT_UPLOADS = 3

const controllers = new Map<string, AbortController>()

/** Uploads waiting files, a few at a time, as long as the page is open. */
export function startUploading(): () => void {
  return effect(() => {
    const uploads = items.value.map((item) => ({ item, status: item.upload.value.status }))
    const count = uploads.filter(({ status }) => status === 'uploading').length
    const waiting = uploads.filter(({ status }) => status === 'waiting').map(({ item }) => item)
    for (const item of waiting.slice(0, CONCURRENT_UPLOADS - count)) untracked(() => void upload(item))
  })
}

async function upload(item: WorkItem): Promise<void> {
  const file = item.file.value
  if (file === null) return
  const controller = new AbortController()
  controllers.set(item.id, controller)
  updateUpload(item, { status: 'uploading', error: null })
  try {
    const { url } = await media.value.uploads.file(file, {
      signal: controller.signal,
      onProgress: ({ fraction }) => updateUpload(item, { fraction }),
    })
    updateUpload(item, { status: 'done', fraction: 1, url })
  } catch (error) {
    if (!controller.signal.aborted) updateUpload(item, { status: 'failed', error })
  } finally {
    controllers.delete(item.id)
  }
}

export function pauseUpload(item: WorkItem): void {
  updateUpload(item, { status: 'paused' })
  controllers.get(item.id)?.abort()
}

/** Continues a paused upload, or tries a failed one again. */
export function resumeUpload(item: WorkItem): void {
  updateUpload(item, { status: 'waiting', error: null })
}

/** Ends an upload whose item was removed. */
export function stopUpload(item: WorkItem): void {
  controllers.get(item.id)?.abort()
}
