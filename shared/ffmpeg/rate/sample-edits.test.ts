import { expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { chain, type VideoEdit, videoEdit } from '../edit.ts'
import { sampleEdits } from './sample-edits.ts'

const PROBE = sampleProbe({ duration_seconds: 60 })
const FLIP = chain('hflip')

const cut = (start: number, seconds: number) => videoEdit(PROBE, { cut: { start, seconds } })
const faster = videoEdit(PROBE, { video: chain('setpts=PTS/2'), samples: { video: null, speed: 2 } })
const kept = videoEdit(PROBE, {
  video: chain('select'),
  samples: {
    video: null,
    keep: [
      { start: 10, end: 20 },
      { start: 30, end: 50 },
    ],
  },
})

test.each<[string, VideoEdit[], [number, number][]]>([
  ['no cut', [videoEdit(PROBE, { video: FLIP, is_framewise: true })], [[0, 60]]],
  ['a cut', [cut(20, 10)], [[20, 30]]],
  ['a cut of a cut', [cut(20, 10), cut(5, 5)], [[25, 30]]],
  ['a cut of a faster video', [faster, cut(10, 5)], [[20, 30]]],
  [
    'ranges',
    [kept],
    [
      [10, 20],
      [30, 50],
    ],
  ],
  [
    'a cut over two ranges',
    [kept, cut(8, 4)],
    [
      [18, 20],
      [30, 32],
    ],
  ],
])('%s shows its ranges of the source', (_, edits, ranges) => {
  const shown = sampleEdits(edits, PROBE)?.ranges
  expect(shown?.map(({ start, end }) => [start, end])).toEqual(ranges)
})

test('samples are cut by nothing, and drawn on', () => {
  const sampled = sampleEdits([cut(20, 10), videoEdit(PROBE, { video: FLIP, is_framewise: true })], PROBE)
  expect(sampled?.edits.map((edit) => [edit.cut, edit.video])).toEqual([
    [null, null],
    [null, FLIP],
  ])
})

test('a drawing that may depend on other frames cannot be sampled', () => {
  expect(sampleEdits([videoEdit(PROBE, { video: FLIP })], PROBE)).toBeNull()
})

test('a cut past the end shows nothing', () => {
  expect(sampleEdits([cut(60, 5)], PROBE)).toBeNull()
})

test('a cut of a phone video gives its samples a constant rate', () => {
  const phone = sampleProbe({}, { variable_frame_rate: true, frames_per_second: 29.7 })
  const edit = videoEdit(phone, {
    cut: { start: 1, seconds: 5 },
    after: sampleProbe({}, { frames_per_second: 30 }),
  })
  const [sampled] = sampleEdits([edit], phone)?.edits ?? []
  const graph = sampled?.video?.({ input: '[a]', output: '[b]', own: () => '', file: () => '', track: 0 })
  expect(graph).toBe('[a]fps=fps=30:start_time=0[b]')
})
