import { mkdtemp, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** What ffprobe and ffmpeg read in a file, without any code of the product. Times count from the first frame or sample. */
export interface Reading {
  path: string
  container: string
  /** null where the file is no MP4. */
  is_index_first: boolean | null
  /** Where the file's own clock stands at its first frame or sample. */
  zero_seconds: number
  video: VideoReading | null
  audio: AudioReading | null
  /** Names of all tags of the file and its streams. */
  tags: string[]
  chapters: number
}

export interface VideoReading {
  index: number
  codec: string
  pixel_format: string
  /** HDR, or primaries wider than BT.709: its colors can't be compared without converting them. */
  is_wide: boolean
  has_alpha: boolean
  /** The file doesn't name its matrix, and players take it for BT.709 by its size. */
  is_untagged_hd: boolean
  is_rgb: boolean
  is_interlaced: boolean
  /** As shown: after rotation, with square pixels. */
  width: number
  height: number
  is_turned: boolean
  has_square_pixels: boolean
  frames_per_second: number
  /** When each frame is shown, in order. */
  times: number[]
  keyframes: number[]
  end_seconds: number
  /** The file says how long the last frame lasts. */
  has_known_end: boolean
  is_uneven: boolean
}

export interface AudioReading {
  /** Another file than that of the video where samples had to be unpacked. */
  path: string
  index: number
  codec: string
  channels: number
  sample_rate: number
  start_seconds: number
  end_seconds: number
}

interface Stream {
  index: number
  codec_type: string
  codec_name?: string
  width?: number
  height?: number
  pix_fmt?: string
  field_order?: string
  sample_aspect_ratio?: string
  sample_rate?: string
  start_time?: string
  avg_frame_rate?: string
  channels?: number
  color_space?: string
  color_transfer?: string
  color_primaries?: string
  disposition: Record<string, number>
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

interface Frame {
  seconds: number
  length_seconds: number | null
  is_key: boolean
}

interface Probe {
  format: { format_name: string; tags?: Record<string, string> }
  streams: Stream[]
  chapters: unknown[]
}

/** @throws where ffprobe can't read the file. */
export async function readFile(path: string): Promise<Reading> {
  const { format, streams, chapters } = await probe(path)
  const video = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition.attached_pic)
  const tracks = streams.filter((stream) => stream.codec_type === 'audio')
  const audio = tracks.find((stream) => stream.disposition.default === 1) ?? tracks[0]
  const decoded = video === undefined ? [] : await readFrames(path, video)
  const frames = format.format_name.includes('mp4') ? decoded.filter(isDisplayed) : decoded
  const played = audio === undefined ? null : await unpackAudio(path, audio, format.format_name)
  const samples = played === null ? [] : await readFrames(played.path, played.stream)
  const firsts = [frames[0], samples[0]].flatMap((frame) => frame?.seconds ?? [])
  const zero_seconds = firsts.length === 0 ? 0 : Math.min(...firsts)
  return {
    path,
    container: format.format_name,
    is_index_first: format.format_name.includes('mp4') ? await isIndexFirst(path) : null,
    zero_seconds,
    video: video === undefined ? null : describeVideo(video, frames, zero_seconds),
    audio: played === null || samples.length === 0 ? null : describeAudio(played, samples, zero_seconds),
    tags: [format, ...streams].flatMap(({ tags = {} }) => Object.keys(tags)),
    chapters: chapters.length,
  }
}

/** An MP4 starts at zero: an edit list hides what has a negative timestamp. */
function isDisplayed({ seconds }: Frame): boolean {
  return seconds > -0.001
}

async function probe(path: string): Promise<Probe> {
  const shown = ['-show_streams', '-show_format', '-show_chapters', '-of', 'json']
  const { stdout } = await runProgram('ffprobe', ['-v', 'error', ...shown, path])
  return JSON.parse(stdout.toString())
}

/** All that a decoder gives of a stream: what an edit list or a codec's delay hides is not among it. */
async function readFrames(path: string, { index, sample_rate, start_time }: Stream): Promise<Frame[]> {
  const entries = 'frame=best_effort_timestamp_time,duration_time,pkt_duration_time,nb_samples,key_frame'
  const select = ['-select_streams', String(index), '-show_entries', entries, '-of', 'json']
  const { stdout } = await runProgram('ffprobe', ['-v', 'error', ...select, path])
  const { frames = [] } = JSON.parse(stdout.toString()) as { frames?: Record<string, string | number>[] }
  let end_seconds = Number(start_time ?? 0)
  return frames.map((frame) => {
    const told_seconds = Number(frame.best_effort_timestamp_time)
    // Frames that share a packet have no times of their own: they follow each other.
    const seconds = Number.isFinite(told_seconds) ? told_seconds : end_seconds
    const declared = Number(frame.duration_time ?? frame.pkt_duration_time)
    const counted = Number(frame.nb_samples) / Number(sample_rate)
    const length = Number.isFinite(counted) ? counted : declared
    end_seconds = seconds + Math.max(0, length || 0)
    return { seconds, length_seconds: length > 0 ? length : null, is_key: frame.key_frame === 1 }
  })
}

function describeVideo(stream: Stream, frames: readonly Frame[], zero_seconds: number): VideoReading {
  const { width = 0, height = 0, pix_fmt = 'unknown', color_space = 'unknown' } = stream
  const rotation = stream.side_data_list?.find((side) => side.rotation !== undefined)?.rotation ?? 0
  const shape = fraction(stream.sample_aspect_ratio) ?? 1
  const shown = { width: Math.round(width * shape), height }
  const is_upright = Math.abs(rotation) % 180 !== 90
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    pixel_format: pix_fmt,
    is_wide: /2084|arib|2020|smpte43[12]/.test(`${stream.color_transfer}${stream.color_primaries}`),
    has_alpha: /^(yuva|rgba|bgra|argb|gbrap|ya|pal8)/.test(pix_fmt) || stream.tags?.alpha_mode === '1',
    is_untagged_hd: color_space === 'unknown' && Math.max(width, height) >= 1280,
    is_rgb: /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/.test(pix_fmt),
    is_interlaced: /^(tt|bb|tb|bt)$/.test(stream.field_order ?? ''),
    width: is_upright ? shown.width : shown.height,
    height: is_upright ? shown.height : shown.width,
    is_turned: rotation !== 0,
    has_square_pixels: shape === 1,
    ...describeTimes(stream, frames, zero_seconds),
    keyframes: frames.filter(({ is_key }) => is_key).map(({ seconds }) => seconds - zero_seconds),
  }
}

type Times = Pick<VideoReading, 'times' | 'frames_per_second' | 'end_seconds' | 'has_known_end' | 'is_uneven'>

/** By the frames themselves: some writers state any rate, and that each frame lasts for a millisecond. */
function describeTimes(
  { avg_frame_rate, tags }: Stream,
  frames: readonly Frame[],
  zero_seconds: number,
): Times {
  const times = frames.map(({ seconds }) => seconds - zero_seconds)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  const [gap = 0, longest = 0] = [gaps.sort((one, other) => one - other)[gaps.length >> 1], gaps.at(-1)]
  const rate = last > first ? gaps.length / (last - first) : (fraction(avg_frame_rate) ?? 25)
  const declared = frames.at(-1)?.length_seconds ?? 0
  const has_known_end = declared > gap / 2
  return {
    times,
    frames_per_second: rate,
    end_seconds: Math.max(last + (has_known_end ? declared : 1 / rate), taggedEnd(tags, zero_seconds)),
    has_known_end,
    is_uneven: longest > 1.5 * gap + 0.002,
  }
}

/** Matroska declares when the last frame ends for the whole track. */
function taggedEnd(tags: Stream['tags'], zero_seconds: number): number {
  if (tags?.DURATION === undefined) return 0
  const [hours = 0, minutes = 0, seconds = 0] = tags.DURATION.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds - zero_seconds
}

interface PlayedAudio {
  path: string
  stream: Stream
}

/** Phones pack several frames of AMR into one sample, of which ffmpeg decodes the first: a raw copy has them all. */
async function unpackAudio(path: string, stream: Stream, container: string): Promise<PlayedAudio> {
  const is_packed = container.includes('mp4') && /^amr/.test(stream.codec_name ?? '')
  if (!is_packed) return { path, stream }
  const unpacked = join(await mkdtemp(join(tmpdir(), 'measure-')), 'audio.amr')
  await runProgram('ffmpeg', ['-v', 'quiet', '-i', path, '-map', `0:${stream.index}`, '-c', 'copy', unpacked])
  return { path: unpacked, stream: { ...stream, index: 0, start_time: '0' } }
}

function describeAudio(
  { path, stream }: PlayedAudio,
  frames: readonly Frame[],
  zero_seconds: number,
): AudioReading {
  const last = frames.at(-1)
  return {
    path,
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels ?? 0,
    sample_rate: Number(stream.sample_rate),
    start_seconds: (frames[0]?.seconds ?? 0) - zero_seconds,
    end_seconds: last === undefined ? 0 : last.seconds - zero_seconds + (last.length_seconds ?? 0),
  }
}

function fraction(text: string | undefined): number | null {
  const [above = 0, below = 1] = (text ?? '').split(/[:/]/).map(Number)
  return above > 0 && below > 0 ? above / below : null
}

async function isIndexFirst(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    for (let at = 0; at + 16 <= end; ) {
      const { buffer } = await file.read(Buffer.alloc(16), 0, 16, at)
      const type = buffer.toString('latin1', 4, 8)
      if (type === 'moov' || type === 'mdat') return type === 'moov'
      const size = buffer.readUInt32BE(0)
      at += size === 1 ? Number(buffer.readBigUInt64BE(8)) : Math.max(8, size)
    }
    return false
  } finally {
    await file.close()
  }
}
