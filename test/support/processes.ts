import { readdir, readFile } from 'node:fs/promises'

/** Finds the running processes whose command line contains both strings. Works only on Linux. */
export async function findProcesses(program: string, argument: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((pid, index) => {
    const line = lines[index] ?? ''
    return pid !== process.pid && line.includes(program) && line.includes(argument)
  })
}
