import type { Reading } from './read-file.ts'
import { runProgram } from './run-program.ts'

/** Enough to find where a sound is to half a millisecond. */
export const SAMPLE_RATE = 2000

interface Part {
  start_seconds: number
  /** null: to the end. */
  seconds: number | null
}

/** A part of the audio as mono samples on the clock of the reading: silence fills a late start and gaps. */
export async function readSamples(reading: Reading, part: Part): Promise<Int16Array> {
  const { audio } = reading
  if (audio === null) return new Int16Array()
  const filters = [...onClock(reading), ...cut(part), `aresample=${SAMPLE_RATE}`]
  const args = [
    '-v',
    'quiet',
    '-copyts',
    '-i',
    audio.path,
    '-map',
    `0:${audio.index}`,
    '-af',
    filters.join(','),
  ]
  const { stdout } = await runProgram('ffmpeg', [...args, '-ac', '1', '-f', 's16le', '-'])
  const bytes = new Uint8Array(stdout).buffer
  return new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2))
}

/**
 * The energy of a part in dB: silence that fills a gap adds none. More channels are mixed down to so many as ffmpeg
 * does in floating point.
 * @returns null for silence.
 */
export async function readEnergy(reading: Reading, part: Part, channels: number): Promise<number | null> {
  const { audio } = reading
  if (audio === null) return null
  const layout =
    audio.channels > channels
      ? [`aformat=sample_fmts=flt:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`]
      : []
  const filters = [...onClock(reading), ...cut(part), ...layout, 'volumedetect']
  const args = [
    '-hide_banner',
    '-copyts',
    '-i',
    audio.path,
    '-map',
    `0:${audio.index}`,
    '-af',
    filters.join(','),
  ]
  const { stderr } = await runProgram('ffmpeg', [...args, '-f', 'null', '-'])
  const mean = Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN)
  const count = Number(/n_samples: (\d+)/.exec(stderr)?.[1] ?? 0)
  if (!(mean > -70) || count === 0) return null
  return mean + 10 * Math.log10(count / Math.min(channels, audio.channels) / audio.sample_rate)
}

function onClock({ zero_seconds }: Reading): string[] {
  const shift = `asetpts=PTS-${zero_seconds.toFixed(6)}/TB`
  return [shift, 'aresample=async=1:min_hard_comp=0.03:first_pts=0']
}

function cut({ start_seconds, seconds }: Part): string[] {
  if (start_seconds === 0 && seconds === null) return []
  const end = seconds === null ? '' : `:end=${(start_seconds + seconds).toFixed(6)}`
  return [`atrim=start=${start_seconds.toFixed(6)}${end}`, 'asetpts=PTS-STARTPTS']
}

/**
 * How much later one recording plays than another of the same, in seconds; null if they cannot be distinguished from
 * being in step: silence, a steady tone, or other audio.
 */
export function findLag(source: Int16Array, result: Int16Array, lag_seconds_max: number): number | null {
  const most = Math.round(lag_seconds_max * SAMPLE_RATE)
  const length = Math.min(source.length, result.length) - 2 * most
  if (length < SAMPLE_RATE / 2) return null
  const scores = new Float64Array(2 * most + 1)
  for (let lag = -most; lag <= most; lag += 1)
    scores[lag + most] = correlate(source, result, most, length, lag)
  const best = scores.reduce((top, score, at) => (score > (scores[top] ?? 0) ? at : top), most)
  const near = scores.subarray(most - SAMPLE_RATE / 100, most + SAMPLE_RATE / 100 + 1)
  const is_sure = (scores[best] ?? 0) > 0.5 && (scores[best] ?? 0) > Math.max(...near) + 0.1
  return is_sure ? (best - most) / SAMPLE_RATE : null
}

function correlate(
  source: Int16Array,
  result: Int16Array,
  from: number,
  length: number,
  lag: number,
): number {
  let [both, one, other] = [0, 0, 0]
  for (let at = from; at < from + length; at += 1) {
    const a = source[at] ?? 0
    const b = result[at + lag] ?? 0
    both += a * b
    one += a * a
    other += b * b
  }
  return one === 0 || other === 0 ? 0 : both / Math.sqrt(one * other)
}
