import type { Run } from '../studio/workspace/items.ts'
import { isOpen } from '../studio/workspace/schedule.ts'

/** A run of the studio. */
export interface NamedRun {
  /** Name of the input. */
  name: string
  run: Run
}

export interface RunChanges {
  open: readonly NamedRun[]
  /** Runs that were open before. */
  ended: readonly NamedRun[]
  /** Progress of the open runs together, from 0 to 1. */
  fraction: number
}

/** Compares the runs of the studio with those that were open before. */
export function findChanges(runs: readonly NamedRun[], open_before: ReadonlySet<string>): RunChanges {
  const open = runs.filter(({ run }) => isOpen(run))
  const ended = runs.filter(({ run }) => open_before.has(run.id) && !isOpen(run))
  const sum = open.reduce((total, { run }) => total + (run.job?.progress ?? 0), 0)
  return { open, ended, fraction: open.length === 0 ? 1 : sum / open.length / 100 }
}
