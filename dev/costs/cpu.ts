import { readdir, readFile } from 'node:fs/promises'
import { listGroups } from '../system/process-tree.ts'
import type { System } from '../system/system.ts'

/** Parts whose CPU time production also spends, and the rest of the local system. */
export const MEASURED = ['fleet', 'workerd', 'database', 'redis', 'other'] as const
export type MeasuredPart = (typeof MEASURED)[number]
export type CpuSeconds = Record<MeasuredPart, number>

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface Process {
  name: string
  pid: number
  parent: number
  group: number
  seconds: number
}

/** Reads the CPU time that each part has used, including its programs that have exited. Works only on Linux. */
export async function readCpu({ parts }: System): Promise<CpuSeconds> {
  const processes = await listProcesses()
  const used: CpuSeconds = { fleet: 0, workerd: 0, database: 0, redis: 0, other: 0 }
  for (const [name, { pid }] of Object.entries(parts)) {
    if (pid === null) continue
    const groups = new Set(listGroups(pid))
    for (const one of processes.filter(({ group }) => groups.has(group))) {
      const part = one.name === 'workerd' ? 'workerd' : name
      used[part in used ? (part as MeasuredPart) : 'other'] += one.seconds
    }
  }
  return used
}

/** Reads the CPU time of a process and its descendants, including programs that have exited. Works only on Linux. */
export async function readTreeCpu(root: number): Promise<number> {
  const processes = await listProcesses()
  const secondsOf = (parent: number): number =>
    processes
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => sum + one.seconds + secondsOf(one.pid), 0)
  const own = processes.find(({ pid }) => pid === root)
  if (own === undefined) throw new Error(`Process ${root} does not run`)
  return own.seconds + secondsOf(root)
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)))
  return stats.flatMap((stat) => (stat === null ? [] : [parseStat(stat)]))
}

/** Parses /proc/PID/stat. The name can contain spaces and parentheses, so the fields start after the last parenthesis. */
function parseStat(stat: string): Process {
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  // utime, stime, and those of children that have exited.
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    seconds: ticks / TICKS_PER_SECOND,
  }
}

/** Returns what was used between two readings, less what an idle system uses in that time. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds, idle: CpuSeconds): CpuSeconds {
  const rest = (part: MeasuredPart) => Math.max(0, after[part] - before[part] - idle[part])
  return Object.fromEntries(MEASURED.map((part) => [part, rest(part)])) as CpuSeconds
}
