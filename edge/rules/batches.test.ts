import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BATCH_STATES, batchStateOf, canMoveBatch, countFiles, stopsBatch } from './batches.ts'
import { canMove, isOver, JOB_STATES, type JobState } from './jobs.ts'

describe("a batch's state", () => {
  test.each([
    [['queued', 'queued'], null, 'queued'],
    [['queued', 'processing'], null, 'processing'],
    [['queued', 'done'], null, 'processing'],
    [['queued', 'failed'], null, 'processing'],
    [['queued', 'canceled'], null, 'processing'],
    [['done', 'done'], null, 'done'],
    [['done', 'failed'], null, 'done'],
    [['done', 'canceled'], null, 'done'],
    [['failed', 'canceled'], null, 'failed'],
    [['canceled', 'canceled'], null, 'canceled'],
    [['done', 'failed', 'canceled'], 'failed', 'failed'],
    [['done', 'canceled'], 'canceled', 'canceled'],
  ] as const)('of %j, stopped: %s, is %s', (states, stopped, expected) => {
    expect(batchStateOf(countFiles(states), stopped)).toBe(expected)
  })

  test('moves only as the table says, whatever its files do', () => {
    const wishes = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.constantFrom(...JOB_STATES)), { maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), wishes, fc.constantFrom(null, 3, 9), (size, moves, stopAt) => {
        const files: JobState[] = Array.from({ length: size }, () => 'queued')
        let stopped: 'failed' | null = null
        let before = batchStateOf(countFiles(files), stopped)
        for (const [step, [index, state]] of moves.entries()) {
          const from = files[index]
          if (from !== undefined && canMove(from, state)) files[index] = state
          if (step === stopAt && files.some((file) => !isOver(file))) {
            stopped = 'failed'
            for (const [place, file] of files.entries()) if (!isOver(file)) files[place] = 'canceled'
          }
          const after = batchStateOf(countFiles(files), stopped)
          expect(after === before || canMoveBatch(before, after)).toBe(true)
          before = after
        }
      }),
    )
  })

  test('that is over moves nowhere', () => {
    for (const over of ['done', 'failed', 'canceled'] as const)
      for (const state of BATCH_STATES) expect(canMoveBatch(over, state)).toBe(false)
  })
})

test('only an over-long file stops the others', () => {
  expect([stopsBatch('input_too_long'), stopsBatch('input_unreadable')]).toEqual([true, false])
})
