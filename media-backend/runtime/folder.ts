import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * A folder that only this attempt of this job sees: `<job>-<fence>.<pid>`, mode 700. The process id
 * tells a later process of the fleet which folders were left by the dead.
 */
export async function makeFolder(work_directory: string, job_id: string, fence: number): Promise<string> {
  const folder = join(work_directory, `${job_id}-${fence}.${process.pid}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Makes the work directory and removes what attempts of processes that are gone left in it. */
export async function prepareWorkDirectory(work_directory: string): Promise<void> {
  await mkdir(work_directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(work_directory)) {
    const pid = /-\d+\.(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(work_directory, name))
  }
}

/** @throws Error when the name is anything but a plain file name: files never leave the folder. */
export function fileIn(folder: string, name: string): string {
  if (name !== basename(name) || !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) {
    throw new Error(`not a plain file name: ${JSON.stringify(name)}`)
  }
  return join(folder, name)
}

/** Our own number on a folder at the start means a process that had it before us (always 1 in a container). */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
