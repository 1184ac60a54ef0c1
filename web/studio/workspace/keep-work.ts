import { batch, effect, signal } from '@preact/signals'
import { delMany, getMany, keys, set } from 'idb-keyval'
import { type Job, MediaError } from '../../../client/src/index.ts'
import { PERSONAL, readStored, store } from '../../text/stored.ts'
import {
  items,
  makeItem,
  type Operation,
  type Run,
  UPLOADED,
  type Upload,
  WAITING,
  type WorkItem,
} from './items.ts'
import { isFinalRefusal, isUnanswered } from './schedule.ts'

/** The number changes with the shape of what is kept; older work is then dropped. */
const NAME = `${PERSONAL}work-4`

/** An item as it survives a reload. Files are in IndexedDB by the id of their item. */
interface KeptItem {
  id: string
  kind: WorkItem['kind']
  name: string
  size_bytes: number | null
  link: string | null
  upload: Pick<Upload, 'url' | 'handle' | 'fraction'>
  /** Why the service refused the upload for good. */
  refusal?: { message: string; status: number; code: string }
  is_paused: boolean
  is_removed: boolean
  runs: { id: string; owner: string | null; operation: Operation; job: Job | null }[]
}

/** Held by the tab whose work is kept. Two tabs would overwrite each other's work and upload the same files. */
const LOCK = 'work'
/** A page that is reloaded gets the lock within this time, even on a busy computer. */
const LOCK_MS_MAX = 5000

/** False if another tab keeps its work. The work of this tab is then lost when it is closed. */
export const isKept = signal(true)

/** Inputs of the last visit that are not restored yet. Their number is known from the start, and with it the layout. */
export const awaited_inputs = signal(readKept().filter(({ is_removed }) => !is_removed).length)
/** A reload restores them within this time. In a second tab, they never are. */
const AWAITED_MS_MAX = 1000

function becomeKeeper(): Promise<boolean> {
  // Pages without TLS have no locks.
  if (navigator.locks === undefined) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true)
      // Held until the tab is closed.
      return new Promise<never>(() => undefined)
    }
    const signal = AbortSignal.timeout(LOCK_MS_MAX)
    navigator.locks.request(LOCK, { signal }, hold).catch(() => resolve(false))
  })
}

/** Restores the work of the last visit, and keeps it from then on, unless another tab does. */
export async function keepWork(): Promise<void> {
  setTimeout(() => {
    awaited_inputs.value = 0
  }, AWAITED_MS_MAX)
  isKept.value = await becomeKeeper()
  if (!isKept.value) return addEventListener('beforeunload', warnBeforeUnload)
  await restore()
  addEventListener('beforeunload', warnBeforeUnload)
  effect(() => {
    for (const { upload, runs, is_removed } of items.value) {
      void [upload.value, runs.value, is_removed.value]
    }
    scheduleSave()
  })
  addEventListener('pagehide', save)
  effect(() => {
    for (const item of items.value) keepFile(item)
  })
}

/** Each step of an upload and of a job is a change; with many files, saving each would slow the page down. */
const SAVE_MS = 200
let saving: ReturnType<typeof setTimeout> | null = null

function scheduleSave(): void {
  saving ??= setTimeout(save, SAVE_MS)
}

function save(): void {
  if (saving === null) return
  clearTimeout(saving)
  saving = null
  store(NAME, items.value.length === 0 ? null : JSON.stringify(items.value.map(pack)))
}

function pack({ id, kind, name, size_bytes, link, upload, runs, is_removed }: WorkItem): KeptItem {
  const { url, handle, fraction, status, error } = upload.value
  const kept = runs.value
    // A submission without a response is repeated: it may have started a job.
    .filter((run) => run.error === null || isUnanswered(run))
    .map((run) => ({ id: run.id, owner: run.owner, operation: run.operation, job: run.job }))
  const is_paused = status === 'paused'
  return {
    ...{ id, kind, name, size_bytes, link, is_paused, runs: kept },
    upload: { url, handle, fraction },
    ...(status === 'failed' && isFinalRefusal(error) && { refusal: packError(error) }),
    is_removed: is_removed.value,
  }
}

const packError = ({ message, status, code }: MediaError) => ({ message, status, code })

async function restore(): Promise<void> {
  const kept = readKept()
  const files = await readFiles(kept.map(({ id }) => id))
  const restored_items = kept.map(({ runs, ...item }, index) => {
    const file = files[index] ?? null
    const restored = runs.map((run): Run => ({ ...run, error: null }))
    return makeItem({ ...item, file, upload: restoreUpload(item, file), runs: restored })
  })
  batch(() => {
    // Files that were added on the landing page are here already.
    items.value = [...restored_items, ...items.value]
    awaited_inputs.value = 0
  })
}

/** An interrupted upload continues, unless it was paused or refused, or the browser has lost the file. */
function restoreUpload(
  { link, upload, is_paused, refusal }: Omit<KeptItem, 'runs'>,
  file: File | null,
): Upload {
  if (link !== null || upload.url !== null) return { ...UPLOADED, url: upload.url }
  if (refusal !== undefined) {
    const error = new MediaError(refusal.message, refusal)
    return { ...WAITING, ...upload, status: 'failed', error }
  }
  const status = file === null ? 'file_missing' : is_paused ? 'paused' : 'waiting'
  return { ...WAITING, ...upload, status }
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

/** Asks before the page is closed while a file is sent. Jobs run without the page. */
function warnBeforeUnload(event: BeforeUnloadEvent): void {
  if (items.value.some(({ upload }) => upload.value.status === 'uploading')) event.preventDefault()
}
