import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Measures something once for each set of facts it depends on and each version of ffmpeg, because encodes and VMAF are slow. The environment
 * variable QUALITY_CACHE names a folder that keeps the measurements; without it, nothing is kept.
 */
export async function measureOnce<T>(facts: unknown, measure: () => Promise<T>): Promise<T> {
  const { QUALITY_CACHE: folder } = process.env
  if (folder === undefined) return measure()
  const key = JSON.stringify({ facts, ffmpeg: await ffmpegVersions() })
  const path = join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as T
  const measured = await measure()
  await mkdir(folder, { recursive: true })
  await writeFile(path, JSON.stringify(measured))
  return measured
}

/** Returns the versions of ffmpeg and its libraries, also of the one that measures VMAF. */
async function ffmpegVersions(): Promise<string[]> {
  const { VMAF_FFMPEG } = process.env
  const programs = ['ffmpeg', ...(VMAF_FFMPEG === undefined ? [] : [VMAF_FFMPEG])]
  const printed = await Promise.all(programs.map((program) => promisify(execFile)(program, ['-version'])))
  return printed.map(({ stdout }) => stdout)
}
