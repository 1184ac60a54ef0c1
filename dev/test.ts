import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { installedProgram, ROOT } from './system/root.ts'

/**
 * Runs the vitest projects in three lanes: one for CPU-bound projects, which use two processes, and two for projects
 * that mostly wait for other processes. The type check and the linter, each counted as one test, run beside them. The
 * output of each is printed when it ends. The last lines name the failed tests and say `N passed, N failed`.
 *
 * Leaves out the tests with the tag `extended`, unless called with `--extended`.
 */
interface Count {
  passed: number
  failed: number
  /** Extended tests that were left out, and tests that did not run because the set-up of their file failed. */
  not_run: number
  /** Failed tests, in the form `project: file: test`, with the first lines of their errors. */
  failures: string[]
}

const REPORTS = join(ROOT, '.data/tests')
/** Tests start the parts of the system dozens of times. A compile cache makes each start 20% faster. */
const COMPILE_CACHE = join(ROOT, '.data/compiled')
const CPU_BOUND = ['unit', 'edge', 'fleet']

/** Several checkers would each check the types that they share, which takes twice the CPU time and the memory. */
const TYPE_CHECK = ['--build', '--checkers', '1', '--builders', '1']

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
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

const LINES_OF_FAILURE = 12

const { extended } = parseArgs({ options: { extended: { type: 'boolean', default: false } } }).values
const FILTER = extended ? [] : ['--tags-filter=!extended']

const startedAt = Date.now()
mkdirSync(REPORTS, { recursive: true })

function runTool(name: string, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [installedProgram(name), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      console.log(`\n> ${name} ${args.join(' ')}`)
      process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

async function check(name: string, args: string[]): Promise<Count> {
  const passed = await runTool(name, args)
  return passed
    ? { passed: 1, failed: 0, not_run: 0, failures: [] }
    : { passed: 0, failed: 1, not_run: 0, failures: [name] }
}

async function test(project: string): Promise<Count> {
  const file = join(REPORTS, `${project}.json`)
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const succeeded = await runTool('vitest', ['run', '--project', project, ...FILTER, ...reporters])
  const count = readCount(file, project)
  if (succeeded || count.failed > 0) return count
  return { ...count, failed: 1, failures: [`${project}: error outside of tests`] }
}

async function runLane(projects: readonly string[]): Promise<Count[]> {
  const counts: Count[] = []
  for (const project of projects) counts.push(await test(project))
  return counts
}

function readCount(file: string, project: string): Count {
  try {
    const report = VitestReport.parse(JSON.parse(readFileSync(file, 'utf8')))
    const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const path = `${project}: ${relative(ROOT, name)}`
      const failed = assertionResults.filter((each) => each.status === 'failed')
      // A file that cannot be loaded has no tests to name, and one whose beforeAll fails has only skipped ones.
      if (status === 'failed' && failed.length === 0)
        return [[path, ...firstLines([message])].join('\n    ').trimEnd()]
      return failed.map((each) =>
        [`${path}: ${each.fullName}`, ...firstLines(each.failureMessages)].join('\n    '),
      )
    })
    return {
      passed: report.numPassedTests,
      failed: failures.length,
      not_run: report.numPendingTests + report.numTodoTests,
      failures,
    }
  } catch {
    return { passed: 0, failed: 1, not_run: 0, failures: [`${project}: no report`] }
  }
}

/** A log that keeps only its end still says what failed. */
function firstLines(messages: readonly string[]): string[] {
  return messages.flatMap((message) =>
    stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_FAILURE),
  )
}

const types = check('tsc', TYPE_CHECK)
// A test of the client builds its types too, and two builds at once could read each other's unfinished files.
const system = types.then(() => test('system'))
const lanes = [types, check('biome', ['check']), runLane(CPU_BOUND), system, test('own-systems')]
const counts = (await Promise.all<Count | Count[]>(lanes)).flat()
const sum = (key: 'passed' | 'failed' | 'not_run') => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed, not_run] = [sum('passed'), sum('failed'), sum('not_run')]
console.log()
for (const failure of counts.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`)
console.log(`${Math.round((Date.now() - startedAt) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed${not_run > 0 ? `, ${not_run} not run` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
