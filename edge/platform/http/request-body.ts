/**
 * Limits on reading the rest of a refused request's body. It is read because a client that is still sending may
 * miss an early response. The platform allows bodies of at most 100 MB.
 */
const DROPPED_BYTES_MAX = 128 * 1024 * 1024
const DROPPED_MS_MAX = 5000

type Reader = ReadableStreamDefaultReader<Uint8Array>

/**
 * Reads a body into memory.
 * @returns null if it exceeds `bytes_max`; the rest is discarded.
 */
export async function readAtMost(request: Request, bytes_max: number): Promise<Uint8Array | null> {
  const reader = request.body?.getReader()
  if (reader === undefined) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    parts.push(read.value)
    if (size > bytes_max) {
      await dropRest(reader)
      return null
    }
  }
  return Buffer.concat(parts)
}

export async function readTextAtMost(request: Request, bytes_max: number): Promise<string | null> {
  const bytes = await readAtMost(request, bytes_max)
  return bytes && new TextDecoder().decode(bytes)
}

/** Discards the unread body of a refused request. */
export async function dropUnread({ body, bodyUsed }: Request): Promise<void> {
  if (body !== null && !bodyUsed && !body.locked) await dropRest(body.getReader())
}

/** Discards the rest of a body, up to a size limit and a time limit. Never throws. */
export async function dropRest(reader: Reader): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DROPPED_MS_MAX)
  })
  await Promise.race([drop(reader).catch(() => undefined), late])
  clearTimeout(timer)
  await reader.cancel().catch(() => undefined)
}

async function drop(reader: Reader): Promise<void> {
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size > DROPPED_BYTES_MAX) return
  }
}
