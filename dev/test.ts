import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { installedProgram, ROOT } from './system/root.ts'

/**
 * Runs everything: types and lint, each counted as one test, then the vitest projects in two lanes. In one
 * are those that keep a core busy, in the other those that mostly wait for the parts of a system; what one
 * project prints comes together, when it has ended. The last line says `N passed, N failed`.
 */
interface Count {
  passed: number
  failed: number
  skipped: number
}

const REPORTS = join(ROOT, '.data/tests')
/** The parts of a system are started dozens of times: compiled once, each start takes a fifth less. */
const COMPILED = join(ROOT, '.data/compiled')
const LANES = [
  ['unit', 'fleet'],
  ['edge', 'system'],
]

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

function runTool(name: string, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [installedProgram(name), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => printed.push(part))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      console.log(`\n> ${name} ${args.join(' ')}`)
      process.stdout.write(Buffer.concat(printed))
      resolve(code === 0)
    })
  })
}

async function check(name: string, args: string[]): Promise<Count> {
  const passed = await runTool(name, args)
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
}

async function test(project: string): Promise<Count> {
  const file = join(REPORTS, `${project}.json`)
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const succeeded = await runTool('vitest', ['run', '--project', project, ...reporters])
  const count = readCount(file)
  // A set-up that breaks or an error between the tests fails the run though no test says so.
  return { ...count, failed: succeeded ? count.failed : Math.max(1, count.failed) }
}

async function runLane(projects: readonly string[]): Promise<Count[]> {
  const counts: Count[] = []
  for (const project of projects) counts.push(await test(project))
  return counts
}

function readCount(file: string): Count {
  try {
    const report = VitestReport.parse(JSON.parse(readFileSync(file, 'utf8')))
    const broken = report.testResults.filter(
      (each) => each.status === 'failed' && !each.assertionResults.length,
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

mkdirSync(REPORTS, { recursive: true })
const begun = Date.now()
const checks = [await check('tsc', ['--build']), await check('biome', ['check'])]
const counts = [...checks, ...(await Promise.all(LANES.map(runLane))).flat()]
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
console.log(`\n${Math.round((Date.now() - begun) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
