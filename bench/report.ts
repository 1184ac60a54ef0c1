import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { printTable } from '../dev/demo/terminal.ts'
import { ROOT } from '../dev/system/root.ts'
import type { Result, Spread } from './statistics.ts'

const RESULTS_FILE = join(ROOT, 'bench/results.json')

/** Prints the goals, the measured ratios and the values of both sides. */
export function printResults(results: readonly Result[]): void {
  const head = ['measure', 'goal', 'ratio', 'min – max', 'rounds', '', 'ours', 'reference', 'unit']
  const rows = results.map(({ name, goal, direction, ratio, met, ours, reference, unit, rounds }) => [
    name,
    `${direction === 'at most' ? '≤' : '≥'} ${goal.toFixed(2)}`,
    ratio.median.toFixed(3),
    formatRange(ratio, 2),
    String(rounds.length),
    met ? 'met' : 'MISSED',
    formatNumber(ours.median),
    formatNumber(reference.median),
    unit,
  ])
  printTable(head, rows)
  console.log(['', ...results.map(({ name, title }) => `${name}: ${title}`)].join('\n'))
}

export interface Machine {
  cores: number
  model: string
  node: string
  ffmpeg: string
  /**
   * Average load in the minute before the first round. A value well above 0 means that other processes were using
   * the machine.
   */
  load_average: number
}

export function describeMachine(): Machine {
  const [version = ''] = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split('\n')
  return {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    ffmpeg: version.split(' ')[2] ?? 'unknown',
    load_average: loadavg()[0] ?? 0,
  }
}

/** Writes the results as JSON and returns the file path. */
export function writeResults(machine: Machine, results: readonly Result[]): string {
  mkdirSync(dirname(RESULTS_FILE), { recursive: true })
  const content = { measured_at: new Date().toISOString(), machine, results }
  writeFileSync(RESULTS_FILE, `${JSON.stringify(content, null, 2)}\n`)
  return RESULTS_FILE
}

export function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

function formatRange({ min, max }: Spread, digits: number): string {
  return `${min.toFixed(digits)} – ${max.toFixed(digits)}`
}
