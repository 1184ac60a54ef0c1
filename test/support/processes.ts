import { readdir, readFile } from 'node:fs/promises'

/** The living processes (Linux) that have both texts in their command line. */
export async function findProcesses(program: string, argument: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((pid, index) => {
    const line = lines[index] ?? ''
    return pid !== process.pid && line.includes(program) && line.includes(argument)
  })
}
