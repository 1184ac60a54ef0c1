import type { Count, Failure } from './report.ts'

/** A test file that failed beside others and ran once more, alone. */
export interface Repetition {
  project: string
  file: string
  failed_again: boolean
}

export interface Verdict {
  passed: number
  failed: number
  not_run: number
  flaky: Failure[]
  failures: Failure[]
}

/** More flaky files than this fail the run. */
export const FLAKY_FILES_MAX = 2
/** With more failed files, the cause is not chance, and repeating them would delay the result. */
const REPEATED_FILES_MAX = 6

/** Returns the files to run once more, alone: those with failures, unless there are too many. */
export function filesToRepeat(failures: readonly Failure[]): Pick<Repetition, 'project' | 'file'>[] {
  const files = new Map<string, Pick<Repetition, 'project' | 'file'>>()
  for (const { project, file } of failures)
    if (project !== null) files.set(`${project}: ${file}`, { project, file })
  return files.size > REPEATED_FILES_MAX ? [] : [...files.values()]
}

/** Decides the result of a run: failures of files that passed alone are flaky, and a few of those do not fail it. */
export function decideVerdict(counts: readonly Count[], repetitions: readonly Repetition[]): Verdict {
  const all = counts.flatMap(({ failures }) => failures)
  const passedAlone = repetitions.filter(({ failed_again }) => !failed_again)
  const isFlaky = ({ project, file }: Failure) =>
    passedAlone.some((each) => each.project === project && each.file === file)
  const flaky = all.filter(isFlaky)
  const failures = passedAlone.length > FLAKY_FILES_MAX ? all : all.filter((failure) => !isFlaky(failure))
  const sum = (key: 'passed' | 'not_run') => counts.reduce((total, count) => total + count[key], 0)
  return {
    passed: sum('passed') + all.length - failures.length,
    failed: failures.length,
    not_run: sum('not_run'),
    flaky,
    failures,
  }
}
