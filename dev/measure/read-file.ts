import { mkdtemp, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/**
 * A file's properties as ffprobe and ffmpeg report them, with no product code involved. Times are relative to the
 * first frame or sample.
 */
export interface Reading {
  path: string
  container: string
  /** null if the file is not an MP4. */
  is_index_first: boolean | null
  /** Timestamp of the first frame or sample in the file. */
  zero_seconds: number
  video: VideoReading | null
  audio: AudioReading | null
  /** Names of all tags on the file and its streams. */
  tags: string[]
  chapters: number
}

export interface VideoReading {
  index: number
  codec: string
  pixel_format: string
  /** The video is HDR or has primaries wider than BT.709, so colors cannot be compared without a conversion. */
  is_wide_gamut: boolean
  has_alpha: boolean
  /** The file does not declare its color matrix, and players assume BT.709 because of its size. */
  is_untagged_hd: boolean
  is_rgb: boolean
  is_interlaced: boolean
  /** Width as displayed, after rotation and with square pixels. */
  width: number
  height: number
  is_rotated: boolean
  has_square_pixels: boolean
  frames_per_second: number
  /** Presentation times of all frames, in order. */
  times: number[]
  keyframes: number[]
  end_seconds: number
  /** The file declares the duration of the last frame. */
  has_known_end: boolean
  is_variable_rate: boolean
}

export interface AudioReading {
  /** Differs from the video's path if samples had to be unpacked. */
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

/** @throws if ffprobe cannot read the file */
export async function readFile(path: string): Promise<Reading> {
  const { format, streams, chapters } = await probe(path)
  const video = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition.attached_pic)
  const tracks = streams.filter((stream) => stream.codec_type === 'audio')
  const audio = tracks.find((stream) => stream.disposition.default === 1) ?? tracks[0]
  const decoded = video === undefined ? [] : await readFrames(path, video)
  const frames = format.format_name.includes('mp4') ? decoded.filter(isDisplayed) : decoded
  const decodable = audio === undefined ? null : await unpackAudio(path, audio, format.format_name)
  const samples = decodable === null ? [] : await readFrames(decodable.path, decodable.stream)
  const firsts = [frames[0], samples[0]].flatMap((frame) => frame?.seconds ?? [])
  const zero_seconds = firsts.length === 0 ? 0 : Math.min(...firsts)
  return {
    path,
    container: format.format_name,
    is_index_first: format.format_name.includes('mp4') ? await isIndexFirst(path) : null,
    zero_seconds,
    video: video === undefined ? null : describeVideo(video, frames, zero_seconds),
    audio:
      decodable === null || samples.length === 0 ? null : describeAudio(decodable, samples, zero_seconds),
    tags: [format, ...streams].flatMap(({ tags = {} }) => Object.keys(tags)),
    chapters: chapters.length,
  }
}

/** An MP4 starts at zero: an edit list hides the frames with negative timestamps. */
function isDisplayed({ seconds }: Frame): boolean {
  return seconds > -0.001
}

async function probe(path: string): Promise<Probe> {
  const sections = ['-show_streams', '-show_format', '-show_chapters', '-of', 'json']
  const { stdout } = await runProgram('ffprobe', ['-v', 'error', ...sections, path])
  return JSON.parse(stdout.toString())
}

/** Lists the frames that a decoder returns. Leaves out those that an edit list or the codec delay hides. */
async function readFrames(path: string, { index, sample_rate, start_time }: Stream): Promise<Frame[]> {
  const entries = 'frame=best_effort_timestamp_time,duration_time,pkt_duration_time,nb_samples,key_frame'
  const select = ['-select_streams', String(index), '-show_entries', entries, '-of', 'json']
  const { stdout } = await runProgram('ffprobe', ['-v', 'error', ...select, path])
  const { frames = [] } = JSON.parse(stdout.toString()) as { frames?: Record<string, string | number>[] }
  let end_seconds = Number(start_time ?? 0)
  return frames.map((frame) => {
    const timestamp = Number(frame.best_effort_timestamp_time)
    // Frames that share a packet have no timestamps, so each starts when the previous one ends.
    const seconds = Number.isFinite(timestamp) ? timestamp : end_seconds
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
  const pixel_aspect = parseFraction(stream.sample_aspect_ratio) ?? 1
  const displayed = { width: Math.round(width * pixel_aspect), height }
  const is_upright = Math.abs(rotation) % 180 !== 90
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    pixel_format: pix_fmt,
    is_wide_gamut: /2084|arib|2020|smpte43[12]/.test(`${stream.color_transfer}${stream.color_primaries}`),
    has_alpha: /^(yuva|rgba|bgra|argb|gbrap|ya|pal8)/.test(pix_fmt) || stream.tags?.alpha_mode === '1',
    is_untagged_hd: color_space === 'unknown' && Math.max(width, height) >= 1280,
    is_rgb: /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/.test(pix_fmt),
    is_interlaced: /^(tt|bb|tb|bt)$/.test(stream.field_order ?? ''),
    width: is_upright ? displayed.width : displayed.height,
    height: is_upright ? displayed.height : displayed.width,
    is_rotated: rotation !== 0,
    has_square_pixels: pixel_aspect === 1,
    ...describeTimes(stream, frames, zero_seconds),
    keyframes: frames.filter(({ is_key }) => is_key).map(({ seconds }) => seconds - zero_seconds),
  }
}

type Times = Pick<
  VideoReading,
  'times' | 'frames_per_second' | 'end_seconds' | 'has_known_end' | 'is_variable_rate'
>

/** Derives times from the frames, because some writers declare incorrect rates or one-millisecond frame durations. */
function describeTimes(
  { avg_frame_rate, tags }: Stream,
  frames: readonly Frame[],
  zero_seconds: number,
): Times {
  const times = frames.map(({ seconds }) => seconds - zero_seconds)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const intervals = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .sort((one, other) => one - other)
  const [median = 0, longest = 0] = [intervals[intervals.length >> 1], intervals.at(-1)]
  const rate = last > first ? intervals.length / (last - first) : (parseFraction(avg_frame_rate) ?? 25)
  const declared = frames.at(-1)?.length_seconds ?? 0
  const has_known_end = declared > median / 2
  return {
    times,
    frames_per_second: rate,
    end_seconds: Math.max(last + (has_known_end ? declared : 1 / rate), taggedEnd(tags, zero_seconds)),
    has_known_end,
    is_variable_rate: longest > 1.5 * median + 0.002,
  }
}

/** Returns the end of the last frame, which Matroska declares in a track tag. */
function taggedEnd(tags: Stream['tags'], zero_seconds: number): number {
  if (tags?.DURATION === undefined) return 0
  const [hours = 0, minutes = 0, seconds = 0] = tags.DURATION.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds - zero_seconds
}

interface DecodableAudio {
  path: string
  stream: Stream
}

/**
 * Copies AMR audio from an MP4 to a raw file. Phones pack several AMR frames into one sample, and ffmpeg decodes
 * only the first.
 */
async function unpackAudio(path: string, stream: Stream, container: string): Promise<DecodableAudio> {
  const is_packed = container.includes('mp4') && /^amr/.test(stream.codec_name ?? '')
  if (!is_packed) return { path, stream }
  const unpacked = join(await mkdtemp(join(tmpdir(), 'measure-')), 'audio.amr')
  await runProgram('ffmpeg', ['-v', 'quiet', '-i', path, '-map', `0:${stream.index}`, '-c', 'copy', unpacked])
  return { path: unpacked, stream: { ...stream, index: 0, start_time: '0' } }
}

function describeAudio(
  { path, stream }: DecodableAudio,
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

function parseFraction(text: string | undefined): number | null {
  const [numerator = 0, denominator = 1] = (text ?? '').split(/[:/]/).map(Number)
  return numerator > 0 && denominator > 0 ? numerator / denominator : null
}

async function isIndexFirst(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    for (let position = 0; position + 16 <= end; ) {
      const { buffer } = await file.read(Buffer.alloc(16), 0, 16, position)
      const type = buffer.toString('latin1', 4, 8)
      if (type === 'moov' || type === 'mdat') return type === 'moov'
      const size = buffer.readUInt32BE(0)
      position += size === 1 ? Number(buffer.readBigUInt64BE(8)) : Math.max(8, size)
    }
    return false
  } finally {
    await file.close()
  }
}
