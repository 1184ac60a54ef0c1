import { expect, test } from 'vitest'
import type { Probe, Stream } from '../ffprobe.ts'
import { collectDeclaredTimes, endsOf, playedSeconds } from './declared-times.ts'

type DeclaredStream = Pick<Stream, 'codec_type'> & Partial<Stream>

function timesOf(streams: DeclaredStream[], format: Partial<Probe['format']> = {}) {
  const whole = streams.map((stream, index) => ({ index, disposition: {}, tags: {}, ...stream }))
  return collectDeclaredTimes({ format, streams: whole, chapters: [] } as unknown as Probe)
}

const video = (values: Partial<Stream>): DeclaredStream => ({ codec_type: 'video', ...values })
const audio = (values: Partial<Stream>): DeclaredStream => ({ codec_type: 'audio', ...values })
const subtitles = (values: Partial<Stream>): DeclaredStream => ({ codec_type: 'subtitle', ...values })
const tagged = (seconds: string) => ({ tags: { DURATION: `00:00:${seconds}.000000000` } })
/** Builds tags in the form that mkvmerge writes. */
const measured = (seconds: string) => ({
  tags: { 'DURATION-eng': `00:00:${seconds}.000000000`, '_STATISTICS_WRITING_APP-eng': 'mkvmerge v60' },
})

test.each<[string, DeclaredStream[], number]>([
  [
    'whose subtitles are longer',
    [video({ duration: 6 }), audio({ duration: 5.9 }), subtitles({ duration: 30 })],
    6,
  ],
  ['whose subtitles are shorter', [video({ duration: 6 }), subtitles({ duration: 5 })], 30],
  [
    'in Matroska whose subtitles are longer',
    [video(tagged('06')), audio(tagged('07')), subtitles(tagged('30'))],
    7,
  ],
  [
    'whose audio is longer',
    [video({ duration: 6 }), audio({ duration: 20 }), subtitles({ duration: 30 })],
    20,
  ],
  [
    'with a track that declares no duration',
    [video({ duration: 6 }), audio({}), subtitles({ duration: 30 })],
    30,
  ],
  [
    'with cover art that has the duration of the file',
    [
      video({ duration: 6 }),
      subtitles({ duration: 30 }),
      video({ duration: 30, disposition: { attached_pic: 1 } }),
    ],
    6,
  ],
  [
    'whose late audio declares its duration, not its end',
    [
      video({ ...measured('10'), start_time: 0 }),
      audio({ ...measured('10'), start_time: 5 }),
      subtitles({ duration: 30 }),
    ],
    15,
  ],
  [
    'whose audio declares a duration, but no start',
    [video({ ...measured('10'), start_time: 0 }), audio(measured('10')), subtitles({ duration: 30 })],
    30,
  ],
])('returns the played duration of a 30 s file %s', (_, streams, seconds) => {
  expect(playedSeconds(timesOf(streams), 30)).toBeCloseTo(seconds)
})

test('never derives a duration of zero or less from a header', () => {
  const late = timesOf([video(tagged('00')), subtitles(tagged('30'))], { start_time: 10 })
  expect(playedSeconds(late, 20)).toBe(20)
})

test('returns track ends separately, or together if no other track can be the longest', () => {
  const one = timesOf([video({ duration: 6, start_time: 1 }), audio(tagged('07')), subtitles({})], {
    duration: 9,
  })
  expect(endsOf(one, [0, 1])).toEqual([
    { tracks: [0], seconds: 7 },
    { tracks: [1], seconds: 7 },
  ])
  expect(endsOf(timesOf([video({}), audio({})], { duration: 9 }), [0, 1])).toEqual([
    { tracks: [0, 1], seconds: 9 },
  ])
  expect(endsOf(timesOf([video({}), subtitles({})], { duration: 9 }), [0])).toEqual([])
})
