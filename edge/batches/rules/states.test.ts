import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canTransition, isOver, JOB_STATES, type JobState } from '../../jobs/rules/states.ts'
import { type BatchState, batchStateOf, countFiles, countListed, nameFaults, stopsBatch } from './states.ts'

interface Batch {
  files: JobState[]
  stopped: 'failed' | null
}

const stateOf = ({ files, stopped }: Batch) => batchStateOf(countFiles(files), stopped)

function move({ files, stopped }: Batch, index: number, wish: JobState): Batch {
  return {
    files: files.map((file, at) => (at === index && canTransition(file, wish) ? wish : file)),
    stopped,
  }
}

/** Ranks a batch's progress, which never goes backward and ends only once. */
const STAGES: Record<BatchState, number> = { queued: 0, processing: 1, done: 2, failed: 2, canceled: 2 }

function stop(batch: Batch): Batch {
  if (batch.files.every(isOver)) return batch
  return { files: batch.files.map((file) => (isOver(file) ? file : 'canceled')), stopped: 'failed' }
}

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
  ] as const)('with files %j, stopped: %s, is %s', (states, stopped, expected) => {
    expect(batchStateOf(countFiles(states), stopped)).toBe(expected)
  })

  test('only advances, and stays final whatever its files do', () => {
    const wishes = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.constantFrom(...JOB_STATES)), { maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), wishes, fc.nat({ max: 40 }), (size, moves, stopAt) => {
        let batch: Batch = { files: Array(size).fill('queued'), stopped: null }
        for (const [step, [index, wish]] of moves.entries()) {
          const next = step === stopAt ? stop(batch) : move(batch, index, wish)
          const [from, to] = [stateOf(batch), stateOf(next)]
          expect(from === to || STAGES[from] < STAGES[to]).toBe(true)
          batch = next
        }
      }),
    )
  })
})

test('only an over-long file stops the other files', () => {
  expect([stopsBatch('input_too_long'), stopsBatch('input_unreadable')]).toEqual([true, false])
})

test('an error names the first failed file and counts the others', () => {
  const file = (filename: string) => ({ filename, error: 'it is broken' })
  expect(nameFaults([])).toBeNull()
  expect(nameFaults([file('a.mp4')])).toBe('a.mp4: it is broken')
  expect(nameFaults([file('a.mp4'), file('b.mp4')])).toBe('a.mp4: it is broken (1 more file failed)')
})

test.each([
  { totals: [], params_bytes: 1, listed: 0 },
  { totals: [3, 4, 3], params_bytes: 1, listed: 3 },
  { totals: [3, 4, 4], params_bytes: 1, listed: 2 },
  { totals: [11, 1], params_bytes: 1, listed: 1 },
  { totals: [1, 1, 1], params_bytes: 25, listed: 2 },
  { totals: [1, 1], params_bytes: 200, listed: 1 },
])(
  'of batches with $totals files and $params_bytes bytes of params, $listed fit into a response',
  (example) => {
    const { totals, params_bytes, listed } = example
    const sizes = totals.map((total) => ({ total, params_bytes }))
    expect(countListed(sizes, { files_max: 10, bytes_max: 100 })).toBe(listed)
  },
)
