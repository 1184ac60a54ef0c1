import { readFileSync } from 'node:fs'
import { currentJob } from './job-context.ts'

/** Clock ticks per second in /proc, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100
/** Position of cutime, the user time of children that have exited, after the name in /proc/self/stat. */
const CUTIME = 13

const seconds_by_operation = new Map<string, number>()
let counted = readChildSeconds()

/**
 * Adds the CPU time of a program that has just exited to the operation of its job. The kernel only sums the time of
 * all exited children, so programs that exit at the same moment are counted together.
 */
export function countChildCpu(): void {
  const total = readChildSeconds()
  const operation = currentJob()?.operation ?? 'none'
  seconds_by_operation.set(operation, (seconds_by_operation.get(operation) ?? 0) + total - counted)
  counted = total
}

/** Returns the CPU seconds of child processes since this process started, by operation. */
export function childCpuSeconds(): ReadonlyMap<string, number> {
  return seconds_by_operation
}

/** Returns 0 on systems without /proc. */
function readChildSeconds(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[CUTIME]) + Number(fields[CUTIME + 1])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
