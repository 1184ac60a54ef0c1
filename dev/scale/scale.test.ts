import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../system/root.ts'
import { ASSUMED } from './assumed.ts'
import { type JobCosts, KINDS, type Measured } from './figures.ts'
import { MEASURED } from './measured.ts'
import { deriveLimits, deriveNeeds } from './needs.ts'
import { scaleTables } from './tables.ts'

const page = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8')

test.each(scaleTables(MEASURED, ASSUMED).map((table) => [table.split('\n')[0], table]))(
  'docs/scale.md has the table %s as `npm run scale` prints it',
  (_head, table) => expect(page).toContain(table),
)

test('the shares of the kinds of jobs add up', () => {
  const shares = KINDS.map((kind) => ASSUMED.mix[kind])
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
})

/** A job of each kind takes a second of the fleet, and 100 bytes of the database. */
const COST: JobCosts = {
  fleet_ms: 1000,
  worker_ms: 10,
  redis_ms: 1,
  database_ms: 1,
  database_bytes: 100,
  input_bytes: 1e6,
}
const EQUAL: Measured = {
  jobs: { image: COST, thumbnail: COST, copy: COST, encode: COST },
  archived_job_bytes: 10,
  waiting_job_bytes: 1000,
  writes_per_job: 3,
  database_commits_per_second: 100,
}

test('needs follow from the costs of a job and its peak', () => {
  const assumed = { ...ASSUMED, peak_factor: 2, utilization: 0.5, retention_days: 2, result_share: 0.5 }
  const needs = deriveNeeds(86_400 * 50, EQUAL, assumed)
  expect(needs.jobs_per_second_peak).toBeCloseTo(100)
  expect(needs.fleet_cores).toBeCloseTo(200)
  expect(needs.database_writes_per_second).toBeCloseTo(300)
  expect(needs.databases).toBe(6)
  expect(needs.redis_core_share).toBeCloseTo(0.1)
  expect(needs.redis_backlog_gb).toBeCloseTo(0.36)
  expect(needs.database_gb_per_month).toBeCloseTo(12.96)
  expect(needs.archived_gb_per_month).toBeCloseTo(1.296)
  expect(needs.storage_tb).toBeCloseTo(12.96)
  // 200 cores at the peak, 100 on average, so 150 are paid.
  expect(needs.dollars_per_month.fleet).toBeCloseTo(150 * assumed.prices.core_hour * 720)
})

test('the part with the lowest limit is first', () => {
  const assumed = { ...ASSUMED, peak_factor: 1, utilization: 0.5, messages_per_job: 5, cores_max: 100 }
  const perSecond = deriveLimits(EQUAL, assumed).map(({ part, jobs_per_day }) => [
    part,
    jobs_per_day / 86_400,
  ])
  expect(perSecond.map(([part]) => part)).toEqual(['database', 'fleet', 'redis', 'queue'])
  const rates = [50 / 3, 50, 500, 1000]
  for (const [index, [, rate]] of perSecond.entries()) expect(rate).toBeCloseTo(rates[index] ?? 0)
})
