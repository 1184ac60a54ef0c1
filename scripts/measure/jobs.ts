import type { Expected } from './checks.ts'
import type { Reading } from './read-file.ts'

/** One operation as a customer asks for it, and what must come out. */
export interface MeasuredJob {
  operation_key: string
  params: Record<string, unknown>
  expected: Expected
  /** The result's times at which its frame must be the source's at the time beside it. */
  frames: readonly { result_seconds: number; source_seconds: number }[]
  /** The packets of these streams must be the source's, bit by bit. */
  copied: readonly ('v' | 'a')[]
  /** What may never be larger than the source. */
  is_smaller?: true
}

const ANY_VIDEO = ['mov', 'matroska']

/** All jobs for one source: what is copied, cut, encoded and drawn. */
export function jobsFor(source: Reading): MeasuredJob[] {
  const { video } = source
  if (video === null) return []
  const whole = video.end_seconds
  const start = round(whole / 4)
  const duration = round(Math.min(4, whole / 2))
  const middle = frameTime(video.times, whole / 2)
  const base: Expected = {
    ...{ seconds: null, start_seconds: 0, factor: 1 },
    ...{ video: 'same', audio: 'same', containers: ANY_VIDEO },
  }
  const drawn = { ...base, video: 'drawn', size: encodedSize(video) } as const
  const at = (seconds: number, result_seconds = seconds) => ({ result_seconds, source_seconds: seconds })
  const kept = { frames: [at(middle)], copied: ['v'] } as const
  const encoded = { frames: [at(middle)], copied: [] } as const
  return [
    { operation_key: 'faststart', params: {}, expected: base, ...kept },
    { operation_key: 'strip_metadata', params: {}, expected: base, ...kept },
    { operation_key: 'mute', params: {}, expected: { ...base, audio: 'none' }, ...kept },
    {
      operation_key: 'trim',
      params: { start, duration, precise: true },
      expected: { ...drawn, seconds: duration, start_seconds: start },
      frames: [at(frameTime(video.times, start), 0)],
      copied: [],
    },
    {
      operation_key: 'trim',
      params: { start, duration, precise: false },
      expected: { ...base, seconds: duration, start_seconds: start, is_rough: true },
      frames: [],
      copied: [],
    },
    { operation_key: 'compress', params: { level: 'light' }, expected: drawn, ...encoded, is_smaller: true },
    {
      operation_key: 'convert',
      params: { format: 'mp4', vcodec: 'libx264', acodec: 'aac' },
      expected: {
        ...base,
        containers: ['mp4'],
        ...(video.codec === 'h264' ? {} : { size: encodedSize(video) }),
        video: 'drawn',
      },
      ...encoded,
    },
    {
      operation_key: 'convert',
      params: { format: 'webm' },
      expected: { ...drawn, containers: ['webm'], ...(isWebm(video.codec) ? { size: video } : {}) },
      ...encoded,
    },
    {
      operation_key: 'convert',
      params: { format: 'mkv' },
      expected: { ...base, containers: ['matroska'] },
      ...kept,
    },
    {
      operation_key: 'speed',
      params: { factor: 2 },
      expected: { ...drawn, seconds: whole / 2, factor: 2 },
      frames: [],
      copied: [],
    },
    { operation_key: 'fps', params: { fps: 15 }, expected: drawn, frames: [], copied: [] },
    {
      operation_key: 'rotate',
      params: { mode: '180' },
      expected: drawn,
      frames: [],
      copied: [],
    },
    {
      operation_key: 'social',
      params: { preset: 'square', mode: 'pad' },
      expected: { ...drawn, size: { width: 1080, height: 1080 } },
      frames: [],
      copied: [],
    },
  ]
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100
}

/** The middle of the frame that is shown at a time, so that rounding can't choose another. */
function frameTime(times: readonly number[], seconds: number): number {
  const index = Math.max(
    0,
    times.findLastIndex((time) => time <= seconds + 1e-4),
  )
  const from = times[index] ?? 0
  const until = times[index + 1] ?? from + 0.02
  return from + Math.min(0.02, (until - from) / 2)
}

function isWebm(codec: string): boolean {
  return ['vp8', 'vp9', 'av1'].includes(codec)
}

/** Full re-encodes are capped at 1080p (the contract, "Encoding behaviour"). */
function encodedSize({ width, height }: { width: number; height: number }): {
  width: number
  height: number
} {
  const scale = Math.min(1, 1080 / Math.min(width, height), 4096 / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
