import type { AudioReading, Reading } from './read-file.ts'
import { runProgram } from './run-program.ts'

/** Locates audio to within half a millisecond. */
export const SAMPLE_RATE = 2000

interface Part {
  start_seconds: number
  /** How much audio to read; null means until the end. */
  seconds: number | null
}

/**
 * Reads part of the audio as mono samples. Silence fills gaps and a late start, so each sample's position is its
 * time since the start of the part.
 */
export async function readSamples(reading: Reading, part: Part): Promise<Int16Array> {
  const { audio } = reading
  if (audio === null) return new Int16Array()
  const args = inputArgs(reading, audio, part, [`aresample=${SAMPLE_RATE}`])
  const { stdout } = await runProgram('ffmpeg', ['-v', 'quiet', ...args, '-ac', '1', '-f', 's16le', '-'])
  const bytes = new Uint8Array(stdout).buffer
  return new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2))
}

/**
 * Measures the energy of part of the audio in dB. The silence that fills gaps adds nothing.
 * @param channels audio with more channels is downmixed to this number in floating point
 * @returns null for silence
 */
export async function readEnergy(reading: Reading, part: Part, channels: number): Promise<number | null> {
  const { audio } = reading
  if (audio === null) return null
  const layout =
    audio.channels > channels
      ? [`aformat=sample_fmts=flt:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`]
      : []
  const args = inputArgs(reading, audio, part, [...layout, 'volumedetect'])
  const { stderr } = await runProgram('ffmpeg', ['-hide_banner', ...args, '-f', 'null', '-'])
  const mean = Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN)
  const count = Number(/n_samples: (\d+)/.exec(stderr)?.[1] ?? 0)
  if (!(mean > -70) || count === 0) return null
  return mean + 10 * Math.log10(count / Math.min(channels, audio.channels) / audio.sample_rate)
}

/** Returns the ffmpeg arguments that read part of the audio and apply filters to it. */
function inputArgs(
  { zero_seconds }: Reading,
  { path, index }: AudioReading,
  part: Part,
  filters: readonly string[],
): string[] {
  const align = [
    `asetpts=PTS-${zero_seconds.toFixed(6)}/TB`,
    'aresample=async=1:min_hard_comp=0.03:first_pts=0',
  ]
  const chain = [...align, ...trimFilters(part), ...filters].join(',')
  return ['-copyts', '-i', path, '-map', `0:${index}`, '-af', chain]
}

function trimFilters({ start_seconds, seconds }: Part): string[] {
  if (start_seconds === 0 && seconds === null) return []
  const end = seconds === null ? '' : `:end=${(start_seconds + seconds).toFixed(6)}`
  return [`atrim=start=${start_seconds.toFixed(6)}${end}`, 'asetpts=PTS-STARTPTS']
}

/**
 * Finds how many seconds the result's audio lags behind the source's.
 * @returns null if no lag is evident, as with silence, a steady tone, or different audio
 */
export function findLag(source: Int16Array, result: Int16Array, lag_seconds_max: number): number | null {
  const lag_max = Math.round(lag_seconds_max * SAMPLE_RATE)
  const length = Math.min(source.length, result.length) - 2 * lag_max
  if (length < SAMPLE_RATE / 2) return null
  const scores = new Float64Array(2 * lag_max + 1)
  for (let lag = -lag_max; lag <= lag_max; lag += 1)
    scores[lag + lag_max] = correlate(source, result, lag_max, length, lag)
  const best = scores.reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), lag_max)
  const near_zero = scores.subarray(lag_max - SAMPLE_RATE / 100, lag_max + SAMPLE_RATE / 100 + 1)
  const is_evident = (scores[best] ?? 0) > 0.5 && (scores[best] ?? 0) > Math.max(...near_zero) + 0.1
  return is_evident ? (best - lag_max) / SAMPLE_RATE : null
}

function correlate(
  source: Int16Array,
  result: Int16Array,
  from: number,
  length: number,
  lag: number,
): number {
  let [product, source_energy, result_energy] = [0, 0, 0]
  for (let index = from; index < from + length; index += 1) {
    const a = source[index] ?? 0
    const b = result[index + lag] ?? 0
    product += a * b
    source_energy += a * a
    result_energy += b * b
  }
  return source_energy === 0 || result_energy === 0 ? 0 : product / Math.sqrt(source_energy * result_energy)
}
