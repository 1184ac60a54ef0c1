/** Limits of a read, because a stranger's server can send endlessly, or byte by byte. */
interface Limits {
  bytes_max: number
  timeout_ms: number
}

/**
 * Reads the beginning of a response as text, and cancels the rest.
 * @returns what arrived, even if reading fails; null if there is no body.
 */
export async function readBeginning(
  { body }: Response,
  { bytes_max, timeout_ms }: Limits,
): Promise<string | null> {
  if (body === null) return null
  const reader = body.getReader()
  const bytes = new Uint8Array(bytes_max)
  let length = 0
  const read = async () => {
    while (length < bytes_max) {
      const { done, value } = await reader.read()
      if (done) return
      const part = value.subarray(0, bytes_max - length)
      bytes.set(part, length)
      length += part.length
    }
  }
  await Promise.race([read(), scheduler.wait(timeout_ms)]).catch(() => undefined)
  await reader.cancel().catch(() => undefined)
  // A stream keeps the last character out if it is incomplete.
  return new TextDecoder().decode(bytes.subarray(0, length), { stream: true })
}
