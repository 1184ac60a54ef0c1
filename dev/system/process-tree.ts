import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface ProcessRow {
  pid: number
  parent: number
  group: number
}

/**
 * Signals the process groups of a process and all its descendants. The fleet starts each ffmpeg process in a
 * separate group, so a signal to the fleet's group does not reach it.
 */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const group of listGroups(root)) signalGroup(group, signal)
}

/** Lists the process groups of a process and all its descendants. */
export function listGroups(root: number): number[] {
  const rows = listProcesses()
  const groups = new Set([root])
  const descendants = new Set([root])
  for (let hasGrown = true; hasGrown; ) {
    const before = descendants.size
    for (const row of rows) {
      if (!descendants.has(row.parent) && row.group !== root) continue
      descendants.add(row.pid)
      groups.add(row.group)
    }
    hasGrown = descendants.size > before
  }
  return [...groups]
}

/** Lists the descendants of a process that run a program. Works only on Linux. */
export function listDescendants(root: number, program: string): number[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent)
  const found: number[] = []
  const below = [root]
  for (let parent = below.pop(); parent !== undefined; parent = below.pop()) {
    for (const { pid } of children.get(parent) ?? []) {
      below.push(pid)
      if (nameOf(pid) === program) found.push(pid)
    }
  }
  return found
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // The group has already exited.
  }
}

/** Checks whether a process group has running processes. Zombies do not count. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch {
    return false
  }
  return listProcesses().some((row) => row.group === group)
}

function listProcesses(): ProcessRow[] {
  return process.platform === 'linux' ? readProc() : readPs()
}

/** Position of num_threads in /proc/PID/stat, counting from the state field. */
const THREAD_COUNT_FIELD = 17

function readProc(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The process name can contain spaces and parentheses, so the fields start after the last parenthesis.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [state, parent, group] = fields
      // If only the main thread has exited, the other threads still hold the process's ports.
      if (state === 'Z' && Number(fields[THREAD_COUNT_FIELD]) <= 1) return []
      return [{ pid: Number(name), parent: Number(parent), group: Number(group) }]
    } catch {
      return []
    }
  })
}

function readPs(): ProcessRow[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/)
    if (!pid || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
  })
}
