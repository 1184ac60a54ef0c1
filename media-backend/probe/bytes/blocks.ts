import { open } from 'node:fs/promises'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import type { Run } from '../../runtime/run.ts'
import { BLOCK_BYTES } from '../../storage/parts.ts'

/**
 * Reads BLOCK_BYTES from a local or remote file, starting at a position. Returns fewer bytes at the end of the
 * file.
 */
export async function readBlock(start: number, path: string, run: Run): Promise<Buffer> {
  run.signal.throwIfAborted()
  const { url } = guardedInput(path, run)
  if (url === run.source_url) {
    const headers = { range: `bytes=${start}-${start + BLOCK_BYTES - 1}` }
    const answer = await fetch(url, { headers, signal: run.signal })
    return answer.status === 206 ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)
  }
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(BLOCK_BYTES), 0, BLOCK_BYTES, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
