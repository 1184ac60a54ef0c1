import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * Makes a folder for this attempt only: `<job>-<fence>.<pid>`, mode 700. The process id shows later processes
 * which folders have no owner.
 */
export async function makeFolder(work_directory: string, job_id: string, fence: number): Promise<string> {
  const folder = join(work_directory, `${job_id}-${fence}.${process.pid}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Creates the work directory and removes folders of processes that have exited. */
export async function prepareWorkDirectory(work_directory: string): Promise<void> {
  await mkdir(work_directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(work_directory)) {
    const pid = /-\d+\.(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(work_directory, name))
  }
}

/**
 * Returns the path of a file in a folder.
 * @throws Error unless the name is a plain file name: files never leave the folder.
 */
export function fileIn(folder: string, name: string): string {
  if (name !== basename(name) || !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) {
    throw new Error(`invalid file name: ${JSON.stringify(name)}`)
  }
  return join(folder, name)
}

/** A folder with this process id at the start belongs to an earlier process (always 1 in a container). */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
