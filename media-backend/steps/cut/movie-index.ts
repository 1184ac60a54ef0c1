import { boxOf } from '../../strip/boxes.ts'
import { rebuildBoxes, requireBox } from './movie-boxes.ts'

/** A frame of the joined track. Times are in units of its timescale; the first display time is 0. */
export interface JoinedSample {
  size: number
  dts: number
  pts: number
  is_key: boolean
}

/** Boxes of the sample table that describe the frames of the old track only. */
const OLD_TABLES = ['ctts', 'stss', 'stsc', 'stsz', 'stco', 'co64', 'sdtp', 'sgpd', 'sbgp', 'edts', 'udta']

/**
 * Builds the index of a track whose samples follow each other in one chunk.
 * @param moov index of a track with the same properties.
 * @param entry new decoder configuration: its type, as "avcC", and content.
 * @param end when the last frame ends.
 */
export function buildIndex(
  moov: Buffer,
  samples: readonly JoinedSample[],
  {
    entry,
    start_offset,
    end,
    timescale,
  }: { entry: { type: string; content: Buffer }; start_offset: number; end: number; timescale: number },
): Buffer {
  const mvhd = requireBox(moov, 'moov/mvhd')
  const movie_timescale = mvhd.readUInt32BE(mvhd[0] === 1 ? 20 : 12)
  const movie_length = Math.round((end * movie_timescale) / timescale)
  const delay = (samples[0]?.pts ?? 0) - (samples[0]?.dts ?? 0)
  return rebuildBoxes(moov, (type, content) => {
    if (type === entry.type) return boxOf(type, entry.content)
    if (type === 'mvhd') return boxOf(type, withDuration(content, 16, movie_length))
    if (type === 'mdhd') return boxOf(type, withDuration(content, 16, end + delay))
    if (type === 'tkhd')
      return Buffer.concat([
        boxOf(type, withDuration(content, 20, movie_length)),
        editList(movie_length, delay),
      ])
    if (type === 'stts') return tablesOf(samples, start_offset, end)
    return OLD_TABLES.includes(type) ? Buffer.alloc(0) : undefined
  })
}

/** Replaces the duration of a header box. With 64-bit times, all fields before it are wider. */
function withDuration(content: Buffer, at: number, duration: number): Buffer {
  const changed = Buffer.from(content)
  if (changed[0] === 1) changed.writeBigUInt64BE(BigInt(duration), at + 8)
  else changed.writeUInt32BE(Math.min(duration, 2 ** 32 - 1), at)
  return changed
}

/** Starts the presentation with the first frame, which is decoded `delay` earlier. */
function editList(movie_length: number, delay: number): Buffer {
  return boxOf('edts', boxOf('elst', numbers32(0, 1, movie_length, delay, 0x10000)))
}

function tablesOf(samples: readonly JoinedSample[], start_offset: number, end: number): Buffer {
  const latest = samples.reduce((pts_max, { pts }) => Math.max(pts_max, pts), 0)
  const durations = samples.map(
    ({ dts }, at) => (samples[at + 1]?.dts ?? dts + Math.max(1, end - latest)) - dts,
  )
  const shifts = samples.map(({ pts, dts }) => pts - dts)
  const keys = samples.flatMap(({ is_key }, at) => (is_key ? [at + 1] : []))
  const chunk = Buffer.alloc(16)
  chunk.writeUInt32BE(1, 4)
  chunk.writeBigUInt64BE(BigInt(start_offset), 8)
  return Buffer.concat([
    boxOf('stts', runsOf(durations)),
    boxOf('ctts', runsOf(shifts)),
    boxOf('stss', numbers32(0, keys.length), numbersOf(keys)),
    boxOf('stsc', numbers32(0, 1, 1, samples.length, 1)),
    boxOf('stsz', numbers32(0, 0, samples.length), numbersOf(samples.map(({ size }) => size))),
    boxOf('co64', chunk),
  ])
}

/** Writes runs of equal values: the count of each, then the value. */
function runsOf(values: readonly number[]): Buffer {
  const runs: number[] = []
  for (const value of values) {
    if (runs.length > 0 && runs.at(-1) === value) runs[runs.length - 2] = (runs.at(-2) ?? 0) + 1
    else runs.push(1, value)
  }
  return Buffer.concat([numbers32(0, runs.length / 2), numbersOf(runs)])
}

function numbers32(...values: number[]): Buffer {
  return numbersOf(values)
}

function numbersOf(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at)
  return bytes
}
