import { describe, expect, test } from 'vitest'
import { canTransition, isOver, JOB_STATES, type JobState, judgeReport } from './states.ts'

const ALLOWED: [JobState, JobState][] = [
  ['queued', 'processing'],
  ['queued', 'done'],
  ['queued', 'failed'],
  ['queued', 'canceled'],
  ['processing', 'done'],
  ['processing', 'failed'],
  ['processing', 'canceled'],
]

test('only the transitions of the contract are allowed', () => {
  const moves = JOB_STATES.flatMap((from) => JOB_STATES.map((to): [JobState, JobState] => [from, to]))
  expect(moves.filter(([from, to]) => canTransition(from, to))).toEqual(ALLOWED)
})

test('a job is final when it is done, failed or canceled', () => {
  expect(JOB_STATES.filter(isOver)).toEqual(['done', 'failed', 'canceled'])
})

describe('the verdict on a report', () => {
  test.each([
    ['queued', 0, 1001, 'accept'],
    ['processing', 1001, 1001, 'accept'],
    ['processing', 1001, 1002, 'accept'],
    ['processing', 1002, 1001, 'superseded'],
    ['processing', 2001, 1999, 'superseded'],
    ['done', 1001, 1001, 'over'],
    ['failed', 1001, 2001, 'over'],
    ['canceled', 0, 1001, 'over'],
  ] as const)(
    'for a %s job at fence %i and a report of fence %i is %s',
    (status, fence, reported, verdict) => {
      expect(judgeReport({ status, fence }, reported)).toBe(verdict)
    },
  )
})
