import { computed, type Signal, signal } from '@preact/signals'
import type { Job, UploadHandle } from '../../../client/src/index.ts'
import { onForget } from '../../api/session.ts'
import { type InputKind, kindOfFile } from './input-kind.ts'
import type { Operation } from './operation.ts'

export type { Operation }

/** State of the transfer of a file to storage. Links need none. */
export interface Upload {
  status: 'waiting' | 'uploading' | 'paused' | 'failed' | 'file_missing' | 'done'
  /** Sent part, from 0 to 1. */
  fraction: number
  /** First progress of the current attempt, from which the speed is computed. */
  started: { at_ms: number; fraction: number } | null
  /** Identifies an unfinished upload, so that a later attempt sends only the missing parts. */
  handle: UploadHandle | null
  /** URL that jobs accept as their input, once the upload is done. */
  url: string | null
  error: unknown
}

/** One job on an input. `job` is null until the service has accepted it. */
export interface Run {
  /** Key of the submission, with which a repetition creates no second job. */
  readonly id: string
  /** Account that started the run, null for a visitor. Only this account is charged for it. */
  readonly owner: string | null
  operation: Operation
  job: Job | null
  /** Error of the submission. A failed job has its own. */
  error: unknown
}

/** An input in the studio, and what was done with it. */
export interface WorkItem {
  readonly id: string
  readonly kind: InputKind
  readonly name: string
  /** Null for links. */
  readonly size_bytes: number | null
  readonly link: string | null
  /** Null for links, and after a reload if the browser could not keep the file. */
  readonly file: Signal<File | null>
  readonly upload: Signal<Upload>
  /** Oldest first. */
  readonly runs: Signal<readonly Run[]>
  /** True once the user has removed the file. Its results stay until they are removed, too. */
  readonly is_removed: Signal<boolean>
}

/** An upload that has not started. */
export const WAITING: Upload = {
  status: 'waiting',
  fraction: 0,
  started: null,
  handle: null,
  url: null,
  error: null,
}
/** Links are not uploaded. */
export const UPLOADED: Upload = { ...WAITING, status: 'done', fraction: 1 }

/** What the studio works on, in the order in which it was added. */
export const items = signal<readonly WorkItem[]>([])

/** The items whose files the user has not removed. */
export const inputs = computed(() => items.value.filter(({ is_removed }) => !is_removed.value))

onForget(() => {
  items.value = []
})

/** Adds files. @returns those that no tool accepts, by their names */
export function addFiles(files: Iterable<File>): string[] {
  const refused: string[] = []
  const added: WorkItem[] = []
  for (const file of files) {
    const kind = kindOfFile(file)
    if (kind === null) refused.push(file.name)
    else added.push(makeItem({ kind, name: file.name, size_bytes: file.size, file }))
  }
  items.value = [...items.value, ...added]
  return refused
}

export function addLink(link: string): void {
  items.value = [...items.value, makeItem({ kind: 'link', name: link, size_bytes: null, link })]
}

/** Changes only when a run is refused, or a refused run ends otherwise. */
export const refused_runs = computed(() =>
  items.value
    .flatMap(({ runs }) => runs.value)
    .filter(({ error }) => error !== null)
    .map(({ id }) => id)
    .join(' '),
)

type Stored = Pick<WorkItem, 'kind' | 'name' | 'size_bytes'> & { url: string }

/** Adds an input whose bytes are already in storage, such as the result of a job. */
export function addStored({ kind, name, size_bytes, url }: Stored): void {
  const upload: Upload = { ...UPLOADED, url }
  items.value = [...items.value, makeItem({ kind, name, size_bytes, upload })]
}

interface NewItem {
  id?: string
  kind: InputKind
  name: string
  size_bytes: number | null
  link?: string | null
  file?: File | null
  upload?: Upload
  runs?: readonly Run[]
  is_removed?: boolean
}

export function makeItem({
  id,
  kind,
  name,
  size_bytes,
  link = null,
  file = null,
  upload,
  runs = [],
  is_removed = false,
}: NewItem): WorkItem {
  return {
    id: id ?? crypto.randomUUID(),
    kind,
    name,
    size_bytes,
    link,
    file: signal(file),
    upload: signal(upload ?? (link === null ? WAITING : UPLOADED)),
    runs: signal(runs),
    is_removed: signal(is_removed),
  }
}

/** Replaces fields of the state of an upload. */
export function updateUpload(item: WorkItem, change: Partial<Upload>): void {
  item.upload.value = { ...item.upload.value, ...change }
}

/** Replaces fields of a run, unless it was removed. */
export function updateRun(item: WorkItem, id: string, change: Partial<Run>): void {
  item.runs.value = item.runs.value.map((run) => (run.id === id ? { ...run, ...change } : run))
}
