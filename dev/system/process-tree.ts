import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface ProcessRow {
  pid: number
  parent: number
  group: number
}

/**
 * Sends a signal to a process, everything that it started, and the groups those have opened: the fleet
 * gives each ffmpeg a group of its own, so the group of the fleet alone would not reach it.
 */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const group of groupsOf(root)) signalGroup(group, signal)
}

/** The group of the root and of all that descends from it. */
export function groupsOf(root: number): number[] {
  const rows = listProcesses()
  const groups = new Set([root])
  const family = new Set([root])
  for (let grew = true; grew; ) {
    const before = family.size
    for (const row of rows) {
      if (!family.has(row.parent) && row.group !== root) continue
      family.add(row.pid)
      groups.add(row.group)
    }
    grew = family.size > before
  }
  return [...groups]
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // Already gone, which is what the caller wants.
  }
}

/** True while any process of the group is left, the dead that nobody has waited for not counted. */
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

/** Where /proc/PID/stat tells how many threads there are, counted from the state. */
const THREADS = 17

function readProc(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name in brackets may itself hold spaces and brackets; the fields begin after its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [state, parent, group] = fields
      // One thread may be dead and others not: until they are, the process keeps its ports.
      if (state === 'Z' && Number(fields[THREADS]) <= 1) return []
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
