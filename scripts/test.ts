import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { installedProgram, ROOT } from './system/root.ts'

/**
 * Runs everything: types and lint, each counted as one test, then each vitest project by itself, so that
 * the system of the last does not run beside the others. The last line says `N passed, N failed`.
 */
interface Count {
  passed: number
  failed: number
  skipped: number
}

const REPORTS = join(ROOT, '.data/tests')
const PROJECTS = ['unit', 'edge', 'fleet', 'system']

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

function runTool(name: string, args: string[]): boolean {
  console.log(`\n> ${name} ${args.join(' ')}`)
  const result = spawnSync(process.execPath, [installedProgram(name), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return result.status === 0
}

function check(name: string, args: string[]): Count {
  const passed = runTool(name, args)
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
}

function test(project: string): Count {
  const file = join(REPORTS, `${project}.json`)
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const succeeded = runTool('vitest', ['run', '--project', project, ...reporters])
  const count = readCount(file)
  // A set-up that breaks or an error between the tests fails the run though no test says so.
  return { ...count, failed: succeeded ? count.failed : Math.max(1, count.failed) }
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
const counts = [check('tsc', ['--build']), check('biome', ['check']), ...PROJECTS.map(test)]
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
console.log(`\n${Math.round((Date.now() - begun) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
