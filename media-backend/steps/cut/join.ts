import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { JoinStep } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { boxOf } from '../../strip/boxes.ts'
import { mergeAvcConfigurations } from './avc-configuration.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { mergeHevcConfigurations } from './hevc-configuration.ts'
import { findBox, requireBox } from './movie-boxes.ts'
import { buildIndex, type JoinedSample } from './movie-index.ts'
import { ENTRY, type MoviePart } from './movie-part.ts'
import { readMovieTrack } from './movie-samples.ts'
import { prepareAvc, prepareSharedAvc } from './prepare-avc.ts'
import { prepareHevc } from './prepare-hevc.ts'

/**
 * Joins video tracks without changing a frame. ffmpeg's concat demuxer would repeat parameter sets within the
 * frames, which the sample type "avc1" does not allow and not all players accept.
 * @throws CutMismatch if the parts do not fit together.
 */
export async function joinParts(
  { parts, timescale, end, shares_sequence, output }: JoinStep,
  run: Run,
): Promise<void> {
  const opened: MoviePart[] = []
  // One file at a time: there may be more parts than files that a process may open.
  for (const part of parts) {
    const path = fileIn(run.folder, part.file)
    opened.push({ ...part, path, track: await readMovieTrack(path) })
  }
  const copied = opened.find(({ encoded }) => !encoded)
  if (copied === undefined || opened.some(({ track }) => track.timescale !== timescale))
    throw new CutMismatch('the parts count time in different units')
  const entry = mergeConfigurations(copied, opened, shares_sequence === true)
  const prepare = entry.type === 'hvcC' ? prepareHevc : shares_sequence ? prepareSharedAvc : prepareAvc
  const read = await prepare(opened, run)
  const samples = joinSamples(read)
  const file = await open(fileIn(run.folder, output.file), 'w')
  try {
    const brand = boxOf('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'))
    const start_offset = brand.length + 16
    await file.writeFile(Buffer.concat([brand, mediaHead(samples)]))
    for (const part of read) await copyData(part, file, run)
    const last = samples.reduce((latest, { pts }) => Math.max(latest, pts), 0)
    const last_end = end ?? last + (read.at(-1)?.track.last_duration ?? 1)
    const index = { entry, start_offset, end: Math.max(last_end, last + 1), timescale }
    await file.writeFile(buildIndex(copied.track.moov, samples, index))
  } finally {
    await file.close()
  }
  for (const { path } of read) await rm(path)
}

/**
 * Places the samples of all parts on one clock. Parts without reordered frames are decoded as early as the copied
 * ones, so decoding times increase everywhere.
 */
function joinSamples(parts: readonly MoviePart[]): JoinedSample[] {
  const delays = parts.filter(({ encoded }) => !encoded).map(({ track: { samples } }) => delayOf(samples[0]))
  const delay = Math.max(...delays)
  const joined: JoinedSample[] = []
  for (const { track, start, earliest, encoded } of parts) {
    const first = track.samples.reduce((least, { pts }) => Math.min(least, pts), Number.POSITIVE_INFINITY)
    for (const { size, dts, pts, is_key } of track.samples) {
      const shown = Math.max(earliest, pts - first + start)
      const decoded = encoded ? shown - delay : dts - first + start
      joined.push({
        size,
        is_key,
        pts: shown,
        dts: Math.max(decoded, (joined.at(-1)?.dts ?? decoded - 1) + 1),
      })
    }
  }
  if (joined.some(({ pts, dts }) => dts > pts))
    throw new CutMismatch('a frame is displayed before it is decoded')
  return joined
}

function delayOf(sample: { pts: number; dts: number } | undefined): number {
  return sample === undefined ? 0 : sample.pts - sample.dts
}

function mediaHead(samples: readonly JoinedSample[]): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1)
  head.write('mdat', 4, 'latin1')
  head.writeBigUInt64BE(BigInt(16 + samples.reduce((sum, { size }) => sum + size, 0)), 8)
  return head
}

/** Copies the samples of a part. Consecutive ones are read at once. */
async function copyData(
  { path, track: { samples } }: MoviePart,
  output: FileHandle,
  { signal }: Run,
): Promise<void> {
  const ranges: { start: number; end: number }[] = []
  for (const { offset, size } of samples) {
    const last = ranges.at(-1)
    if (last?.end === offset) last.end += size
    else ranges.push({ start: offset, end: offset + size })
  }
  for (const { start, end } of ranges) {
    if (start === end) continue
    for await (const bytes of createReadStream(path, {
      start,
      end: end - 1,
      signal,
      highWaterMark: 1024 ** 2,
    }))
      await output.writeFile(bytes as Buffer)
  }
}

function mergeConfigurations(
  { track: { moov } }: MoviePart,
  parts: readonly MoviePart[],
  shares_sequence: boolean,
): { type: string; content: Buffer } {
  const encoded = parts.filter((part) => part.encoded)
  const [avc, hevc] = [findBox(moov, `${ENTRY}/avcC`), findBox(moov, `${ENTRY}/hvcC`)]
  const added = (type: string) => encoded.map(({ track }) => requireBox(track.moov, `${ENTRY}/${type}`))
  if (avc !== undefined)
    return { type: 'avcC', content: mergeAvcConfigurations(avc, added('avcC'), shares_sequence) }
  if (hevc !== undefined) return { type: 'hvcC', content: mergeHevcConfigurations(hevc, added('hvcC')) }
  throw new CutMismatch('the codec is neither H.264 nor HEVC')
}
