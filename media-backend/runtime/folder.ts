import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * Makes a separate folder for this attempt: `<job>-<fence>.<pid>`, mode 700. The process ID tells later processes
 * which folders no longer have an owner.
 */
export async function makeFolder(work_directory: string, job_id: string, fence: number): Promise<string> {
  const folder = join(work_directory, `${job_id}-${fence}.${process.pid}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Creates the work directory and removes the folders of processes that have exited. */
export async function prepareWorkDirectory(work_directory: string): Promise<void> {
  await mkdir(work_directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(work_directory)) {
    const pid = /-\d+\.(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(work_directory, name))
  }
}

/**
 * Returns the path of a file in a folder.
 * @throws Error unless the name is a plain file name, so files never leave the folder.
 */
export function fileIn(folder: string, name: string): string {
  if (name !== basename(name) || !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) {
    throw new Error(`invalid file name: ${JSON.stringify(name)}`)
  }
  return join(folder, name)
}

/**
 * Checks whether the process that made a folder is still running. At startup, a folder with this process's ID
 * belongs to an earlier process, because the ID is always 1 in a container.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
