import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Measures something once for each set of facts it depends on, because encodes and VMAF are slow. The environment
 * variable QUALITY_CACHE names a folder that keeps the measurements; without it, nothing is kept.
 */
export async function measureOnce<T>(facts: unknown, measure: () => Promise<T>): Promise<T> {
  const { QUALITY_CACHE: folder } = process.env
  if (folder === undefined) return measure()
  const path = join(folder, `${createHash('sha256').update(JSON.stringify(facts)).digest('hex')}.json`)
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as T
  const measured = await measure()
  await mkdir(folder, { recursive: true })
  await writeFile(path, JSON.stringify(measured))
  return measured
}
