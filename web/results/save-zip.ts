import { saveBlob } from '../design/save-blob.ts'
import { uniqueNames } from './unique-names.ts'

export interface ZipFile {
  url: string
  filename: string
  size_bytes: number
}

/** Archives up to this size are built in memory, and land in the downloads without a question. */
const MEMORY_BYTES_PREFERRED = 200_000_000
/** Larger archives do not fit into the memory of a tab. */
export const MEMORY_BYTES_MAX = 1_000_000_000

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/** Checks whether this browser can build an archive of these files: in memory or, if they are large, on disk. */
export function canZip(files: readonly ZipFile[]): boolean {
  return sizeOf(files) <= MEMORY_BYTES_MAX || 'showSaveFilePicker' in window
}

export function sizeOf(files: readonly ZipFile[]): number {
  return files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

/** Saves all files as one archive. Call it on a click: the browser may ask for a place on disk. */
export async function saveZip(files: readonly ZipFile[], name: string): Promise<void> {
  const isLarge = sizeOf(files) > MEMORY_BYTES_PREFERRED
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SaveFilePicker }
  const target = isLarge && showSaveFilePicker ? await pick(showSaveFilePicker, name) : null
  const { downloadZip, makeZip } = await import('client-zip')
  if (target !== null) return makeZip(openFiles(files)).pipeTo(await target.createWritable())
  saveBlob(await downloadZip(openFiles(files)).blob(), name)
}

function pick(showSaveFilePicker: SaveFilePicker, suggestedName: string): Promise<FileSystemFileHandle> {
  return showSaveFilePicker.call(window, { suggestedName })
}

/** Requests one file after the other, as the archive grows. */
async function* openFiles(files: readonly ZipFile[]) {
  const names = uniqueNames(files.map(({ filename }) => filename))
  for (const [index, { url, size_bytes }] of files.entries()) {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${files[index]?.filename}: ${response.status}`)
    yield { name: names[index] ?? '', input: response, size: size_bytes }
  }
}
