import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'

const PERIOD_MS = 500

/**
 * Periodically reports how much of a file a process has read, from 0 to 1, until the signal aborts. Used for
 * programs that do not output their progress. Works only on Linux; elsewhere, nothing is reported.
 */
export async function watchReading(
  pid: number,
  path: string,
  signal: AbortSignal,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  try {
    const { size } = await stat(path)
    for await (const _ of setInterval(PERIOD_MS, undefined, { signal })) {
      const position = await readPosition(pid, path)
      if (position !== null && size > 0 && !signal.aborted) reportProgress(Math.min(1, position / size))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Returns the read position in bytes, or null if the process does not have the file open. */
async function readPosition(pid: number, path: string): Promise<number | null> {
  const process_folder = join('/proc', String(pid))
  const numbers = await readdir(join(process_folder, 'fd')).catch(() => [])
  for (const number of numbers) {
    if ((await readlink(join(process_folder, 'fd', number)).catch(() => null)) !== path) continue
    const info = await readFile(join(process_folder, 'fdinfo', number), 'utf8').catch(() => '')
    const position = /^pos:\s*(\d+)$/m.exec(info)?.[1]
    return position === undefined ? null : Number(position)
  }
  return null
}
