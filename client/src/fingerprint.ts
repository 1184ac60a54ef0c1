const SAMPLES = 16
const SAMPLE_BYTES = 64 * 1024

/**
 * Hashes samples from the start of a file to its end: enough to recognize another file of the same size, and fast for
 * files of any size.
 * @returns null where the runtime has no cryptography, such as in a page without HTTPS
 */
export async function fingerprintOf(file: Blob): Promise<string | null> {
  const { subtle } = globalThis.crypto ?? {}
  if (subtle === undefined) return null
  const last = Math.max(0, file.size - SAMPLE_BYTES)
  const starts = Array.from({ length: SAMPLES }, (_, index) => Math.round((last * index) / (SAMPLES - 1)))
  const samples = [...new Set(starts)].map((start) => file.slice(start, start + SAMPLE_BYTES))
  const hash = await subtle.digest('SHA-256', await new Blob(samples).arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
