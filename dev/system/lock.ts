import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Lock = z.object({ pid: z.int().positive(), api_url: z.string() })

/**
 * Acquires `<dataDirectory>/lock`, so two systems never write to the same folder. Replaces a lock whose process has
 * exited.
 * @returns a function that releases the lock
 * @throws if a running process holds the lock
 */
export function acquireLock(dataDirectory: string, api_url: string): () => void {
  const file = join(dataDirectory, 'lock')
  const holder = readHolder(file)
  if (holder !== null && isAlive(holder.pid)) {
    throw new Error(
      `${dataDirectory} is in use by the system at ${holder.api_url}. Stop that system, or set DATA_DIRECTORY to another folder.`,
    )
  }
  rmSync(file, { force: true })
  // `wx` makes the write fail if a concurrent start has already created the lock.
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
