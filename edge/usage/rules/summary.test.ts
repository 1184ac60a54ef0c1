import { expect, test } from 'vitest'
import { summarizeUsage } from './summary.ts'

const trim = { service_slug: 'video', operation_key: 'trim' }
const crop = { service_slug: 'image', operation_key: 'crop' }

test('adds up by state and by operation, most used first', () => {
  expect(
    summarizeUsage([
      { ...crop, status: 'done', total: 2, credits: 4 },
      { ...trim, status: 'done', total: 3, credits: 9 },
      { ...trim, status: 'failed', total: 1, credits: 0 },
      { ...trim, status: 'queued', total: 1, credits: 2 },
    ]),
  ).toEqual({
    submissions: 7,
    credits: 15,
    done: 5,
    failed: 1,
    canceled: 0,
    by_operation: [
      { ...trim, submissions: 5, credits: 11 },
      { ...crop, submissions: 2, credits: 4 },
    ],
  })
})

test('of no jobs is empty', () => {
  expect(summarizeUsage([])).toMatchObject({ submissions: 0, credits: 0, by_operation: [] })
})
