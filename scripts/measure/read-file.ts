import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024
/** Frames are compared as grids of so many mean colors on a side. */
const GRID = 12

/** What ffprobe and ffmpeg read in a file, without any code of the product. */
export interface Reading {
  container: string
  /** null where the file is no MP4. */
  is_index_first: boolean | null
  video: VideoReading | null
  audio: AudioReading | null
}

export interface VideoReading {
  codec: string
  pixel_format: string
  /** HDR, or primaries wider than BT.709: its colors can't be compared without converting them. */
  is_wide: boolean
  has_alpha: boolean
  /** As shown: after rotation, with square pixels. */
  width: number
  height: number
  frames_per_second: number
  /** When each frame is shown, in order, from the start of the file. */
  times: number[]
  end_seconds: number
}

export interface AudioReading {
  codec: string
  channels: number
  start_seconds: number
  end_seconds: number
  /** Mean volume in dBFS; null for silence. */
  mean_db: number | null
}

interface Stream {
  index: number
  codec_type: string
  codec_name?: string
  width?: number
  height?: number
  pix_fmt?: string
  sample_aspect_ratio?: string
  avg_frame_rate?: string
  channels?: number
  color_transfer?: string
  color_primaries?: string
  disposition: Record<string, number>
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

/** @throws where ffprobe can't read the file. */
export async function readFile(path: string): Promise<Reading> {
  const { format, streams } = await probe(path)
  const video = streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition.attached_pic !== 1,
  )
  const sounds = streams.filter((stream) => stream.codec_type === 'audio')
  const audio = sounds.find((stream) => stream.disposition.default === 1) ?? sounds[0]
  const start_seconds = Number(format.start_time ?? 0)
  return {
    container: format.format_name,
    is_index_first: format.format_name.includes('mp4') ? await isIndexFirst(path) : null,
    video: video === undefined ? null : await readVideo(path, video, start_seconds),
    audio: audio === undefined ? null : await readAudio(path, audio, start_seconds),
  }
}

/** The mean colors of a grid over the frame that is shown at a time; null where there is none. */
export async function readColors(path: string, at_seconds: number): Promise<number[] | null> {
  const filters = `select=lte(t\\,${at_seconds.toFixed(6)}),scale=${GRID}:${GRID}:flags=area,format=rgb24`
  const from = Math.max(0, at_seconds - 12)
  const args = ['-v', 'error', '-copyts', '-start_at_zero', '-ss', String(from), '-i', path]
  const { stdout } = await execute(
    'ffmpeg',
    [...args, '-map', '0:v:0', '-vf', filters, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: OUTPUT_BYTES_MAX },
  ).catch(() => ({ stdout: Buffer.alloc(0) }))
  const frame_bytes = GRID * GRID * 3
  return stdout.length < frame_bytes ? null : [...stdout.subarray(stdout.length - frame_bytes)]
}

/** A hash of all packets of the video, and one of the audio: equal only for bit-identical copies. */
export async function hashPackets(path: string, stream: 'v' | 'a'): Promise<string> {
  const filter = ['-bsf:v', 'null']
  const args = [
    '-v',
    'error',
    '-i',
    path,
    '-map',
    `0:${stream}:0`,
    '-c',
    'copy',
    ...filter,
    '-f',
    'hash',
    '-',
  ]
  const { stdout } = await execute('ffmpeg', args, { maxBuffer: OUTPUT_BYTES_MAX })
  return stdout.trim()
}

async function probe(path: string): Promise<{
  format: { format_name: string; start_time?: string }
  streams: Stream[]
}> {
  const shown = ['-show_streams', '-show_format', '-of', 'json']
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...shown, path], {
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  return JSON.parse(stdout)
}

async function readVideo(path: string, stream: Stream, start_seconds: number): Promise<VideoReading> {
  const frames = await readTimes(path, stream.index, start_seconds)
  const times = frames.map(({ seconds }) => seconds)
  const rate = fraction(stream.avg_frame_rate) ?? 25
  const rotation = Math.abs(stream.side_data_list?.find((side) => side.rotation !== undefined)?.rotation ?? 0)
  const shape = fraction(stream.sample_aspect_ratio) ?? 1
  const size = [Math.round((stream.width ?? 0) * shape), stream.height ?? 0] as const
  const [width, height] = rotation % 180 === 90 ? [size[1], size[0]] : size
  const last = frames.at(-1)
  return {
    codec: stream.codec_name ?? 'unknown',
    pixel_format: stream.pix_fmt ?? 'unknown',
    is_wide: /2084|arib|2020/.test(`${stream.color_transfer}${stream.color_primaries}`),
    has_alpha:
      /^(yuva|rgba|bgra|argb|gbrap|ya)/.test(stream.pix_fmt ?? '') || stream.tags?.alpha_mode === '1',
    width,
    height,
    frames_per_second: rate,
    times,
    end_seconds: last === undefined ? 0 : last.seconds + (last.duration ?? 1 / rate),
  }
}

async function readTimes(
  path: string,
  index: number,
  start_seconds: number,
): Promise<{ seconds: number; duration: number | null }[]> {
  const entries = 'frame=best_effort_timestamp_time,duration_time,pkt_duration_time'
  const args = [
    '-v',
    'error',
    '-select_streams',
    String(index),
    '-show_entries',
    entries,
    '-of',
    'json',
    path,
  ]
  const { stdout } = await execute('ffprobe', args, { maxBuffer: OUTPUT_BYTES_MAX })
  const { frames = [] } = JSON.parse(stdout) as { frames?: Record<string, string>[] }
  return frames.flatMap((frame) => {
    const seconds = Number(frame.best_effort_timestamp_time)
    const duration = Number(frame.duration_time ?? frame.pkt_duration_time)
    if (!Number.isFinite(seconds)) return []
    return [{ seconds: seconds - start_seconds, duration: duration > 0 ? duration : null }]
  })
}

async function readAudio(path: string, stream: Stream, start_seconds: number): Promise<AudioReading> {
  const times = await readTimes(path, stream.index, start_seconds)
  const first = times[0]
  const last = times.at(-1)
  const measure = ['-hide_banner', '-i', path, '-map', `0:${stream.index}`, '-af', 'volumedetect']
  const { stderr } = await execute('ffmpeg', [...measure, '-f', 'null', '-'], { maxBuffer: OUTPUT_BYTES_MAX })
  const mean = /mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1]
  return {
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels ?? 0,
    start_seconds: first?.seconds ?? 0,
    end_seconds: last === undefined ? 0 : last.seconds + (last.duration ?? 0),
    mean_db: mean === undefined || Number(mean) < -80 ? null : Number(mean),
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
