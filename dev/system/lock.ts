import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Lock = z.object({ pid: z.int().positive(), api_url: z.string() })

/**
 * Takes `<dataDirectory>/lock`, so that two systems never write into one folder. Returns how to give it
 * back. Throws a sentence when a living process holds it; the lock of a process that is gone is replaced.
 */
export function takeLock(dataDirectory: string, api_url: string): () => void {
  const file = join(dataDirectory, 'lock')
  const holder = readHolder(file)
  if (holder !== null && isAlive(holder.pid)) {
    throw new Error(`${dataDirectory} is in use by the system at ${holder.api_url}; set DATA_DIRECTORY`)
  }
  rmSync(file, { force: true })
  // Fails where another start was quicker.
  writeFileSync(file, JSON.stringify({ pid: process.pid, api_url }), { flag: 'wx', mode: 0o600 })
  return () => rmSync(file, { force: true })
}

function readHolder(file: string): z.infer<typeof Lock> | null {
  try {
    return Lock.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
