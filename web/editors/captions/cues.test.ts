import { expect, test } from 'vitest'
import { readSubtitles } from '../../../shared/captions/read.ts'
import { cueFault, nextCue, parseCues, writeCues, writePreview } from './cues.ts'

const SRT = `\uFEFF1\r
00:00:01,000 --> 00:00:02,500\r
Hello\r
there\r
\r
2\r
01:00:03,250 --> 01:00:04,000 X1:10\r
Привіт\r
`
const CUES = [
  { start: 1, end: 2.5, text: 'Hello\nthere' },
  { start: 3603.25, end: 3604, text: 'Привіт' },
]

test('reads SubRip and WebVTT', () => {
  expect(parseCues(SRT)).toEqual(CUES)
  const vtt = 'WEBVTT\n\nNOTE made by hand\n\nfirst\n00:01.000 --> 00:02.500 align:start\nHello\nthere\n'
  expect(parseCues(vtt)).toEqual(CUES.slice(0, 1))
  expect(parseCues('no subtitles')).toEqual([])
})

test('the service reads what is written', () => {
  const written = writeCues([...CUES, { start: 3605, end: 3606, text: 'a --> b\n\nc' }])
  expect(parseCues(written)).toHaveLength(3)
  const read = readSubtitles(written)
  expect(read?.map(({ start, end, lines }) => [start, end, lines.length])).toEqual([
    [1, 2.5, 2],
    [3603.25, 3604, 1],
    [3605, 3606, 2],
  ])
})

test('a new cue begins after the others, and not before the position of the player', () => {
  expect(nextCue([], 1.23456)).toEqual({ start: 1.235, end: 3.235, text: '' })
  expect(nextCue(CUES, 1)).toMatchObject({ start: 3604 })
})

test.each([
  [{ start: 1, end: 2, text: 'a' }, null],
  [{ start: Number.NaN, end: 2, text: 'a' }, 'time'],
  [{ start: 2, end: 2, text: 'a' }, 'order'],
  [{ start: 1, end: 2, text: ' ' }, 'text'],
])('%j has the fault %s', (cue, fault) => {
  expect(cueFault(cue)).toBe(fault)
})

test('the preview has the complete cues', () => {
  const cues = [...CUES, { start: 5, end: 4, text: 'late' }, { start: 6, end: 7, text: '<b> & c' }]
  expect(writePreview(cues)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\nthere\n\n01:00:03.250 --> 01:00:04.000\nПривіт\n\n' +
      '00:00:06.000 --> 00:00:07.000\n&lt;b> &amp; c\n',
  )
})
