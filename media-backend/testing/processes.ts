import { readdir, readFile } from 'node:fs/promises'

/** Counts the running processes whose command line contains both texts. Works only on Linux. */
export async function countProcesses(program: string, argument: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(program) && line.includes(argument)).length
}
