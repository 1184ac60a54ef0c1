/** What is too long is read away up to this: who is answered while they still send may lose the answer. */
const DROPPED_BYTES_MAX = 4 * 1024 * 1024

/** The body as text, of which no more is kept than it may be long; null where it is larger. */
export async function readAtMost(request: Request, bytes_max: number): Promise<string | null> {
  const reader = request.body?.getReader()
  if (reader === undefined) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size <= bytes_max) parts.push(read.value)
    else parts.length = 0
    if (size > bytes_max + DROPPED_BYTES_MAX) {
      await reader.cancel().catch(() => undefined)
      break
    }
  }
  return size > bytes_max ? null : new TextDecoder().decode(Buffer.concat(parts))
}
