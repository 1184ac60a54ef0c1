import { effect } from '@preact/signals'
import { delMany, getMany, keys, set } from 'idb-keyval'
import type { Job } from '../../../client/src/index.ts'
import { readStored, store } from '../../text/stored.ts'
import { items, makeItem, type Operation, type Run, type Upload, type WorkItem } from './items.ts'
import { hasEnded } from './schedule.ts'

const NAME = 'work'

/** An item as it survives a reload. Files are in IndexedDB by the id of their item. */
interface KeptItem {
  id: string
  kind: WorkItem['kind']
  name: string
  size_bytes: number | null
  link: string | null
  upload_url: string | null
  runs: { operation: Operation; job: Job | null }[]
}

/** Restores the work of the last visit, and keeps it from then on. */
export async function keepWork(): Promise<void> {
  await restore()
  effect(() => store(NAME, JSON.stringify(items.value.map(pack))))
  effect(() => {
    for (const item of items.value) keepFile(item)
  })
}

function pack({ id, kind, name, size_bytes, link, upload, runs }: WorkItem): KeptItem {
  const kept = runs.value
    .filter(({ error }) => error === null)
    .map(({ operation, job }) => ({ operation, job }))
  return { id, kind, name, size_bytes, link, upload_url: upload.value.url, runs: kept }
}

async function restore(): Promise<void> {
  const kept = readKept()
  const files = await readFiles(kept.map(({ id }) => id))
  items.value = kept.map(({ upload_url, runs, ...item }, index) => {
    const file = files[index] ?? null
    const upload = uploadOf(item.link, upload_url, file)
    return makeItem({ ...item, file, upload, runs: runs.map((run): Run => ({ ...run, error: null })) })
  })
}

function uploadOf(link: string | null, url: string | null, file: File | null): Upload {
  if (url !== null || link !== null) return { status: 'done', fraction: 1, url, error: null }
  return { status: file === null ? 'failed' : 'waiting', fraction: 0, url: null, error: null }
}

function readKept(): KeptItem[] {
  try {
    return JSON.parse(readStored(NAME) ?? '[]') as KeptItem[]
  } catch {
    return []
  }
}

async function readFiles(ids: string[]): Promise<(File | undefined)[]> {
  try {
    const stale = (await keys<string>()).filter((key) => !ids.includes(key))
    await delMany(stale)
    return await getMany<File>(ids)
  } catch {
    return []
  }
}

const saved = new Set<string>()

/** Saves the file of a new item, for previews and for the upload after a reload. */
function keepFile({ id, file }: WorkItem): void {
  if (file.value === null || saved.has(id)) return
  saved.add(id)
  // Without space, the user chooses the file again after a reload.
  set(id, file.value).catch(() => undefined)
}

/** True while closing the page would interrupt something. */
export function isWorking(): boolean {
  return items.value.some(({ upload, runs }) => {
    const is_uploading = upload.value.status === 'uploading' || upload.value.status === 'waiting'
    return (
      is_uploading || runs.value.some(({ job, error }) => error === null && (job === null || !hasEnded(job)))
    )
  })
}
