import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const RATE = 8000
const QUIET_SECONDS = 0.3

/** Returns the times in seconds at which loud audio follows silence, for clips with occasional clicks. */
export async function clickTimes(path: string): Promise<number[]> {
  const pcm = ['-map', '0:a:0', '-af', 'aresample=async=1', '-ac', '1', '-ar', String(RATE), '-f', 's16le']
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, ...pcm, '-'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  const times: number[] = []
  let loud = Number.NEGATIVE_INFINITY
  for (let at = 0; at + 1 < stdout.length; at += 2) {
    if (Math.abs(stdout.readInt16LE(at)) < 3000) continue
    const seconds = at / 2 / RATE
    if (seconds - loud > QUIET_SECONDS) times.push(seconds)
    loud = seconds
  }
  return times
}
