/** The body as text, read no further than it may go; null where it is larger. */
export async function readAtMost(request: Request, bytes_max: number): Promise<string | null> {
  const reader = request.body?.getReader()
  if (reader === undefined) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size > bytes_max) {
      await reader.cancel().catch(() => undefined)
      return null
    }
    parts.push(read.value)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
