import type { Input, UploadOptions } from './options.ts'
import type { LocalFile, Platform } from './platform.ts'

/** File with the facts that the service needs before the upload. */
export interface UploadFile extends LocalFile {
  filename: string
  contentType: string
}

/** Returns the URL that the service can import, or null if the input must be uploaded. */
export function publicUrl(input: Input): string | null {
  const text = String(input instanceof URL || typeof input === 'string' ? input : '')
  return /^https?:\/\//i.test(text) ? text : null
}

/** Opens an input for upload. */
export async function openInput(
  platform: Platform,
  input: Input,
  { filename, contentType, signal }: UploadOptions,
): Promise<UploadFile> {
  const file = await openFile(platform, input, signal)
  return {
    ...file,
    filename: filename ?? file.filename ?? 'file',
    contentType: contentType ?? (plainType(file.blob.type) || 'application/octet-stream'),
  }
}

function openFile(
  platform: Platform,
  input: Input,
  signal: AbortSignal | undefined,
): LocalFile | Promise<LocalFile> {
  if (typeof input === 'string') return platform.openPath(input)
  if (input instanceof URL) return platform.openPath(pathOf(input))
  if (input instanceof Blob) return { blob: input, ...('name' in input && { filename: String(input.name) }) }
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return { blob: new Blob([input]) }
  if (input instanceof ReadableStream) return platform.collect(input, signal)
  if (isIterable(input)) return platform.collect(toStream(input), signal)
  throw new TypeError(`The input is ${nameKind(input)}. Pass a path, a URL, a Blob, bytes or a stream.`)
}

function nameKind(input: unknown): string {
  if (input === null || input === undefined) return String(input)
  return typeof input === 'object' ? 'an object of another kind' : `a ${typeof input}`
}

/** Values come from JavaScript, too, where a type is no guarantee. */
function isIterable(input: unknown): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && input !== null && Symbol.asyncIterator in input
}

function pathOf({ protocol, pathname, href }: URL): string {
  if (protocol !== 'file:') throw new TypeError(`${href} is not a URL with http, https or file.`)
  return decodeURIComponent(pathname)
}

/** Removes the parameters of a content type, which the service does not accept. */
function plainType(type: string): string {
  return type.split(';')[0]?.trim() ?? ''
}

function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      // The iterator may wait for a chunk that never arrives, so its end is not awaited.
      void iterator.return?.()
    },
  })
}
