import { expect, test } from 'vitest'
import type { Probe, Stream } from '../ffprobe.ts'
import { endsOf, playedSeconds, toldTimes } from './declared-times.ts'

type Told = Pick<Stream, 'codec_type'> & Partial<Stream>

function timesOf(streams: Told[], format: Partial<Probe['format']> = {}) {
  const whole = streams.map((stream, index) => ({ index, disposition: {}, tags: {}, ...stream }))
  return toldTimes({ format, streams: whole, chapters: [] } as unknown as Probe)
}

const picture = (told: Partial<Stream>): Told => ({ codec_type: 'video', ...told })
const sound = (told: Partial<Stream>): Told => ({ codec_type: 'audio', ...told })
const lines = (told: Partial<Stream>): Told => ({ codec_type: 'subtitle', ...told })
const noted = (seconds: string) => ({ tags: { DURATION: `00:00:${seconds}.000000000` } })
/** As mkvmerge writes them. */
const measured = (seconds: string) => ({
  tags: { 'DURATION-eng': `00:00:${seconds}.000000000`, '_STATISTICS_WRITING_APP-eng': 'mkvmerge v60' },
})

test.each<[string, Told[], number]>([
  ['subtitles go on', [picture({ duration: 6 }), sound({ duration: 5.9 }), lines({ duration: 30 })], 6],
  ['subtitles end sooner', [picture({ duration: 6 }), lines({ duration: 5 })], 30],
  ['subtitles go on, in Matroska', [picture(noted('06')), sound(noted('07')), lines(noted('30'))], 7],
  ['sound goes on', [picture({ duration: 6 }), sound({ duration: 20 }), lines({ duration: 30 })], 20],
  ['of one track it is not told', [picture({ duration: 6 }), sound({}), lines({ duration: 30 })], 30],
  [
    'there is cover art, which has the length of the file',
    [
      picture({ duration: 6 }),
      lines({ duration: 30 }),
      picture({ duration: 30, disposition: { attached_pic: 1 } }),
    ],
    6,
  ],
  [
    'sound that begins late was measured, not when it ends',
    [
      picture({ ...measured('10'), start_time: 0 }),
      sound({ ...measured('10'), start_time: 5 }),
      lines({ duration: 30 }),
    ],
    15,
  ],
  [
    'sound that was measured begins later than is known',
    [picture({ ...measured('10'), start_time: 0 }), sound(measured('10')), lines({ duration: 30 })],
    30,
  ],
])('a file of 30 s of which %s plays as long as its picture and sound', (_, streams, seconds) => {
  expect(playedSeconds(timesOf(streams), 30)).toBeCloseTo(seconds)
})

test('no header makes a length of nothing, or of less', () => {
  const late = timesOf([picture(noted('00')), lines(noted('30'))], { start_time: 10 })
  expect(playedSeconds(late, 20)).toBe(20)
})

test('tracks end by themselves, or together where no other one may be the longest', () => {
  const one = timesOf([picture({ duration: 6, start_time: 1 }), sound(noted('07')), lines({})], {
    duration: 9,
  })
  expect(endsOf(one, [0, 1])).toEqual([
    { tracks: [0], seconds: 7 },
    { tracks: [1], seconds: 7 },
  ])
  expect(endsOf(timesOf([picture({}), sound({})], { duration: 9 }), [0, 1])).toEqual([
    { tracks: [0, 1], seconds: 9 },
  ])
  expect(endsOf(timesOf([picture({}), lines({})], { duration: 9 }), [0])).toEqual([])
})
