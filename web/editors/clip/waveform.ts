/** Larger files would fill the memory of a phone, because browsers decode audio only as a whole. */
const DECODED_BYTES_MAX = 200 * 1024 ** 2
const SAMPLE_RATE = 8000
/** Magnitude that counts as silence: -40 dB. */
const QUIET = 0.01

/** Checks whether the audio of a file can be decoded here. */
export function canReadPeaks({ size }: Pick<File, 'size'>): boolean {
  return size <= DECODED_BYTES_MAX
}

/** Reads the loudest sample of each part of a file's audio, from 0 to 1. Returns null if it has no readable audio. */
export async function readPeaks(file: File, count: number): Promise<number[] | null> {
  if (!canReadPeaks(file)) return null
  try {
    const context = new OfflineAudioContext(1, 1, SAMPLE_RATE)
    const audio = await context.decodeAudioData(await file.arrayBuffer())
    return stretch(peaksOf(audio.getChannelData(0), count))
  } catch {
    return null
  }
}

/** Returns the largest magnitude of each of `count` equal parts. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const size = samples.length / count
  return Array.from({ length: count }, (_, part) => {
    let peak = 0
    const end = Math.min(samples.length, Math.ceil((part + 1) * size))
    for (let index = Math.floor(part * size); index < end; index++) {
      peak = Math.max(peak, Math.abs(samples[index] ?? 0))
    }
    return Math.min(1, peak)
  })
}

/** Makes quiet recordings as visible as loud ones. Noise stays small. */
function stretch(peaks: readonly number[]): number[] {
  const loudest = Math.max(...peaks, QUIET)
  return peaks.map((peak) => peak / loudest)
}

/** Returns the outline of a waveform as an SVG path, `peaks.length` wide and 2 high around zero. */
export function waveformPath(peaks: readonly number[]): string {
  const bars = peaks.map((peak, index) => {
    const height = Math.max(0.02, peak).toFixed(2)
    return `M${index} -${height}h.6V${height}h-.6z`
  })
  return bars.join('')
}
