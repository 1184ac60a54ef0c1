import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installedProgram, ROOT } from './system/root.ts'
import { auditDependencies } from './tests/audit.ts'
import { type Count, type Failure, readReport } from './tests/report.ts'
import { decideVerdict, FLAKY_FILES_MAX, filesToRepeat, type Repetition } from './tests/verdict.ts'

/**
 * Runs the vitest projects in three lanes: one for CPU-bound projects, which use two processes, and two for projects
 * that mostly wait for other processes. The type check and the linter, each counted as one test, run beside them. The
 * output of each is printed when it ends. Files that failed run once more, alone: those that pass then are printed as
 * `flaky`, and more than two of them fail the run. The last lines name the failed tests and say `N passed, N failed`.
 *
 * Leaves out the tests with the tag `extended` and the audit of dependencies, unless called with `--extended`.
 */
const REPORTS = join(ROOT, '.data/tests')
/** Tests start the parts of the system dozens of times. A compile cache makes each start 20% faster. */
const COMPILE_CACHE = join(ROOT, '.data/compiled')
const CPU_BOUND = ['unit', 'edge', 'fleet']

/** Several checkers would each check the types that they share, which takes twice the CPU time and the memory. */
const TYPE_CHECK = ['--build', '--checkers', '1', '--builders', '1']

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
  const failure: Failure = { project: null, file: name, test: null, error_lines: [] }
  return { passed: passed ? 1 : 0, not_run: 0, failures: passed ? [] : [failure] }
}

async function test(project: string, ...files: string[]): Promise<Count> {
  const report = join(REPORTS, `${project}.json`)
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = await runTool('vitest', ['run', '--project', project, ...FILTER, ...reporters, ...files])
  const count = readReport(report, project, succeeded)
  if (count.failures.length > 0) console.log(`load of the machine: ${describeLoad()}`)
  return count
}

async function runLane(projects: readonly string[]): Promise<Count[]> {
  const counts: Count[] = []
  for (const project of projects) counts.push(await test(project))
  return counts
}

async function repeatAlone(failures: readonly Failure[]): Promise<Repetition[]> {
  const repetitions: Repetition[] = []
  for (const { project, file } of filesToRepeat(failures)) {
    const { failures: again, passed } = await test(project, file)
    repetitions.push({ project, file, failed_again: again.length > 0 || passed === 0 })
  }
  return repetitions
}

function describeLoad(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')
}

function print(label: string, { project, file, test: name, error_lines }: Failure): void {
  const title = [project, file, name].filter((part) => part !== null).join(': ')
  console.log([`${label}: ${title}`, ...error_lines].join('\n    '))
}

const types = check('tsc', TYPE_CHECK)
// A test of the client builds its types too, and two builds at once could read each other's unfinished files.
const system = types.then(() => test('system'))
const audit = extended ? auditDependencies() : []
const lanes = [types, check('biome', ['check']), audit, runLane(CPU_BOUND), system, test('own-systems')]
const counts = (await Promise.all<Count | Count[]>(lanes)).flat()
const load = describeLoad()
const repetitions = await repeatAlone(counts.flatMap(({ failures }) => failures))
const { passed, failed, not_run, flaky, failures } = decideVerdict(counts, repetitions)
console.log()
for (const failure of flaky) print('flaky', failure)
if (flaky.length > 0)
  console.log(`load of the machine: ${load}; at most ${FLAKY_FILES_MAX} files may fail beside others`)
for (const failure of failures) print('failed', failure)
console.log(`${Math.round((Date.now() - startedAt) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed${not_run > 0 ? `, ${not_run} not run` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
