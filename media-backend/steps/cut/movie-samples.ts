import { type FileHandle, open } from 'node:fs/promises'
import { CutMismatch } from './cut-mismatch.ts'
import { findBox, requireBox } from './movie-boxes.ts'

/** A coded frame in an MP4. Times are in units of the track's timescale; the first `dts` is 0. */
export interface Sample {
  offset: number
  size: number
  dts: number
  pts: number
  is_key: boolean
}

/** The video track of an MP4 that ffmpeg wrote without other tracks. */
export interface MovieTrack {
  moov: Buffer
  timescale: number
  samples: Sample[]
  /** Duration of the last sample. */
  last_duration: number
}

const STBL = 'moov/trak/mdia/minf/stbl'
/** Larger than the index of any video within the length ceilings. */
const MOOV_BYTES_MAX = 256 * 1024 ** 2

/** @throws CutMismatch if the file does not contain a video track. */
export async function readMovieTrack(path: string): Promise<MovieTrack> {
  const file = await open(path)
  try {
    const moov = await readMoov(file)
    const mdhd = requireBox(moov, 'moov/trak/mdia/mdhd')
    const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
    const { samples, last_duration } = readSamples(moov)
    return { moov, timescale, samples, last_duration }
  } finally {
    await file.close()
  }
}

async function readMoov(file: FileHandle): Promise<Buffer> {
  const { size: file_bytes } = await file.stat()
  const head = Buffer.alloc(16)
  for (let at = 0; at + 8 <= file_bytes; ) {
    await file.read(head, 0, 16, at)
    const declared = head.readUInt32BE(0)
    const size = declared === 1 ? Number(head.readBigUInt64BE(8)) : declared
    if (size < 8 || at + size > file_bytes) break
    if (head.toString('latin1', 4, 8) === 'moov' && size <= MOOV_BYTES_MAX) {
      const moov = Buffer.alloc(size)
      await file.read(moov, 0, size, at)
      return moov
    }
    at += size
  }
  throw new CutMismatch('a part has no index')
}

function readSamples(moov: Buffer): Pick<MovieTrack, 'samples' | 'last_duration'> {
  const stsz = requireBox(moov, `${STBL}/stsz`)
  const same_size = stsz.readUInt32BE(4)
  const count = stsz.readUInt32BE(8)
  if (count === 0) throw new CutMismatch('a part has no frames')
  const sizes = Array.from({ length: count }, (_, at) => same_size || stsz.readUInt32BE(12 + 4 * at))
  const offsets = readOffsets(moov, sizes)
  const durations = readRuns(requireBox(moov, `${STBL}/stts`), count)
  const ctts = findBox(moov, `${STBL}/ctts`)
  const shifts = ctts === undefined ? [] : readRuns(ctts, count)
  const stss = findBox(moov, `${STBL}/stss`)
  const keys = stss === undefined ? null : new Set(readNumbers(stss, 8, stss.readUInt32BE(4)))
  let dts = 0
  const samples = sizes.map((size, at) => {
    const pts = dts + ((shifts[at] ?? 0) | 0)
    const sample = { offset: offsets[at] ?? 0, size, dts, pts, is_key: keys?.has(at + 1) ?? true }
    dts += durations[at] ?? 0
    return sample
  })
  return { samples, last_duration: durations.at(-1) ?? 0 }
}

/** Reads runs of equal values: the count of each, then the value. */
function readRuns(table: Buffer, count_max: number): number[] {
  const values: number[] = []
  for (let at = 8; at + 8 <= table.length && values.length < count_max; at += 8) {
    const value = table.readUInt32BE(at + 4)
    const count = Math.min(table.readUInt32BE(at), count_max - values.length)
    for (let run = 0; run < count; run += 1) values.push(value)
  }
  return values
}

function readOffsets(moov: Buffer, sizes: readonly number[]): number[] {
  const chunks = readChunks(moov)
  const stsc = requireBox(moov, `${STBL}/stsc`)
  const offsets: number[] = []
  let run = 8
  for (const [chunk, start] of chunks.entries()) {
    // A run of chunks ends where the next one starts; chunks are numbered from 1.
    while (run + 12 < stsc.length && stsc.readUInt32BE(run + 12) <= chunk + 1) run += 12
    let at = start
    for (let left = stsc.readUInt32BE(run + 4); left > 0 && offsets.length < sizes.length; left -= 1) {
      offsets.push(at)
      at += sizes[offsets.length - 1] ?? 0
    }
  }
  return offsets
}

function readChunks(moov: Buffer): number[] {
  const stco = findBox(moov, `${STBL}/stco`)
  if (stco !== undefined) return readNumbers(stco, 8, stco.readUInt32BE(4))
  const co64 = requireBox(moov, `${STBL}/co64`)
  return Array.from({ length: co64.readUInt32BE(4) }, (_, at) => Number(co64.readBigUInt64BE(8 + 8 * at)))
}

function readNumbers(table: Buffer, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => table.readUInt32BE(from + 4 * at))
}
