import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServerEventParser } from './server-events.ts'

const STREAM = [
  'retry: 1000',
  '',
  'event: status',
  'id: 1.0',
  'data: {"status":"queued"}',
  '',
  ': alive',
  '',
  'event: progress',
  'id: 2.5',
  'data: {"progress":5}',
  '',
  'data: two',
  'data: lines',
  '',
  '',
]
const EVENTS = [
  { event: 'status', id: '1.0', data: '{"status":"queued"}' },
  { event: 'progress', id: '2.5', data: '{"progress":5}' },
  { event: 'message', id: '2.5', data: 'two\nlines' },
]

test.each(['\n', '\r\n'])(
  'a stream with the line ends %j is the same in whatever pieces it arrives',
  (end) => {
    const text = STREAM.join(end)
    const cuts = fc.array(fc.nat(text.length), { maxLength: 20 })
    fc.assert(
      fc.property(cuts, (places) => {
        const parser = new ServerEventParser()
        const edges = [0, ...places.sort((a, b) => a - b), text.length]
        const events = edges.slice(1).flatMap((edge, index) => parser.push(text.slice(edges[index], edge)))
        expect(events).toEqual(EVENTS)
      }),
      { seed: 1, numRuns: 300 },
    )
  },
)

test('an event that has not ended is not reported', () => {
  const parser = new ServerEventParser()
  expect(parser.push('data: 1\n')).toEqual([])
  expect(parser.push('\n')).toHaveLength(1)
})
