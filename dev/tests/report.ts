import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'

/** What a vitest project or a tool counted. */
export interface Count {
  passed: number
  /** Extended tests that were left out, and tests that did not run because the set-up of their file failed. */
  not_run: number
  failures: Failure[]
}

export interface Failure {
  /** The vitest project; null for the type check and other tools, and for errors outside of tests. */
  project: string | null
  /** Path from the root of the repository, or the name of the tool or project. */
  file: string
  /** Null if the whole file failed, for example because it could not be loaded. */
  test: string | null
  error_lines: string[]
}

const VitestReport = z.object({
  numPassedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
})

const ERROR_LINES_MAX = 12

/** Counts the tests in a vitest JSON report. A missing or unreadable report is one failure. */
export function readReport(path: string, project: string, succeeded: boolean): Count {
  const parsed = VitestReport.safeParse(readJson(path))
  if (!parsed.success) return brokenProject(project, 'no report')
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = parsed.data
  const count: Count = {
    passed: numPassedTests,
    not_run: numPendingTests + numTodoTests,
    failures: testResults.flatMap((result) => failuresOf(project, result)),
  }
  if (succeeded || count.failures.length > 0) return count
  return { ...count, failures: brokenProject(project, 'error outside of tests').failures }
}

function failuresOf(project: string, result: z.infer<typeof VitestReport>['testResults'][number]): Failure[] {
  const file = relative(ROOT, result.name)
  const failed = result.assertionResults.filter(({ status }) => status === 'failed')
  // A file that cannot be loaded has no tests to name, and one whose beforeAll fails has only skipped ones.
  if (result.status === 'failed' && failed.length === 0)
    return [{ project, file, test: null, error_lines: firstLines([result.message]) }]
  return failed.map(({ fullName, failureMessages }) => ({
    project,
    file,
    test: fullName,
    error_lines: firstLines(failureMessages),
  }))
}

function brokenProject(project: string, error: string): Count {
  return {
    passed: 0,
    not_run: 0,
    failures: [{ project: null, file: project, test: null, error_lines: [error] }],
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** A log that keeps only its end still shows what failed. */
function firstLines(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const lines = stripVTControlCharacters(message).split('\n')
    return lines.filter((line) => line.trim() !== '').slice(0, ERROR_LINES_MAX)
  })
}
