import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BEGINNING, eventsAfter, idOf, isEnd, type JobSnapshot, pauseAfter, placeOf } from './events.ts'

const QUEUED = { number: 1, status: 'queued' as const, at: 10 }
const PROCESSING = { number: 2, status: 'processing' as const, at: 20 }
const DONE = { number: 3, status: 'done' as const, at: 30 }
const names = (snapshot: JobSnapshot, id: string | null) =>
  eventsAfter(snapshot, placeOf(id)).map((event) => [
    event.name === 'status' ? event.status : event.progress,
    idOf(event.place),
  ])

describe('the events after a position', () => {
  const running: JobSnapshot = { history: [QUEUED, PROCESSING], progress: 40 }
  const done: JobSnapshot = { history: [QUEUED, PROCESSING, DONE], progress: 100 }

  test.each([
    [
      null,
      running,
      [
        ['queued', '1.0'],
        ['processing', '2.0'],
        [40, '2.40'],
      ],
    ],
    [
      '1.0',
      running,
      [
        ['processing', '2.0'],
        [40, '2.40'],
      ],
    ],
    ['2.0', running, [[40, '2.40']]],
    ['2.39', running, [[40, '2.40']]],
    ['2.40', running, []],
    ['2.60', running, []],
    ['2.40', done, [['done', '3.0']]],
    ['3.0', done, []],
    ['9.0', done, []],
    [null, { history: [QUEUED], progress: 0 }, [['queued', '1.0']]],
  ])('%j', (id, snapshot, expected) => {
    expect(names(snapshot, id)).toEqual(expected)
  })

  test('are the same in one read or in several, except for intermediate progress', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('look', 'progress', 'move'), { maxLength: 40 }), (steps) => {
        const states = [QUEUED, PROCESSING, DONE]
        let snapshot: JobSnapshot = { history: [QUEUED], progress: 0 }
        let place = BEGINNING
        const sent: string[] = []
        const look = () => {
          for (const event of eventsAfter(snapshot, place)) {
            place = event.place
            sent.push(event.name === 'status' ? event.status : 'progress')
          }
        }
        for (const step of steps) {
          const { history, progress } = snapshot
          if (step === 'look') look()
          if (step === 'progress') snapshot = { history, progress: Math.min(100, progress + 7) }
          if (step === 'move') snapshot = { history: states.slice(0, history.length + 1), progress }
        }
        look()
        look()
        expect(sent.filter((name) => name !== 'progress')).toEqual(
          snapshot.history.map((state) => state.status),
        )
        expect(isEnd(snapshot, place)).toBe(snapshot.history.length === states.length)
      }),
    )
  })
})

test.each([null, '', 'x', '1', '1.', '.1', '1.2.3', '-1.0', '1e3.0', '99999999.0'])(
  'an invalid id, %j, is the beginning',
  (id) => {
    expect(placeOf(id)).toEqual(BEGINNING)
  },
)

test('an id maps back to its position', () => {
  expect(placeOf(idOf({ transition: 2, progress: 40 }))).toEqual({ transition: 2, progress: 40 })
})

test('a job without events is polled less often', () => {
  expect([pauseAfter(0), pauseAfter(19_999), pauseAfter(20_000)]).toEqual([250, 250, 1000])
})
