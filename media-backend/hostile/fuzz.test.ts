/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JobAttempts, startAttempts } from '../testing/attempt-jobs.ts'
import { fuzzSamples, mutatedJob } from '../testing/mutate.ts'

/** Four jobs per sample. `npm run fuzz` runs a thousand jobs against a separate fleet. */
const COUNT = 48
const SEED = 1

let attempts: JobAttempts
beforeAll(async () => {
  attempts = await startAttempts({ JOB_SECONDS_MAX: '20' })
})
afterAll(() => attempts.close())

test(`${COUNT} corrupt files are processed or refused and leave no files behind`, async () => {
  const samples = await fuzzSamples()
  const faults: string[] = []
  const ends = { done: 0, failed: 0, error: 0 }
  for (let number = 0; number < COUNT; number += 1) {
    const { name, spec, input } = mutatedJob(samples, SEED, number)
    const ending = await attempts.attempt(spec, { input })
    ends[ending.kind] += 1
    if (ending.kind === 'error') faults.push(`${name}: ${ending.message}`)
    for (const left of await attempts.leftovers()) faults.push(`${name}: left ${left}`)
  }
  expect(faults).toEqual([])
  expect(ends.done).toBeGreaterThan(5)
  expect(ends.failed).toBeGreaterThan(5)
}, 240_000)

test('generates the same file from the same seed and number', async () => {
  const samples = await fuzzSamples()
  expect(mutatedJob(samples, 7, 33)).toEqual(mutatedJob(samples, 7, 33))
  expect(mutatedJob(samples, 7, 33).input).not.toEqual(mutatedJob(samples, 8, 33).input)
})
