import { createReadStream } from 'node:fs'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from './audio.ts'

/** Windows of 16 ms, about two periods of a low voice, so that no two of them have the same spectrum in speech. */
const WINDOW_SAMPLES = 256
/** Frequencies that tell voices from tones. Mains hum lies below them. */
const BAND_HERTZ = { min: 180, max: 4000 }
/** Speech changes for at least so many windows (160 ms). Where a tone starts or ends, fewer differ from the one before. */
const CHANGING_WINDOWS_MIN = 10
/** In a steady tone, two windows differ by less than this share of their power. */
const STEADY_SHARE = 10 ** -3.5
/** Mean square of samples, from -1 to 1, that no engine hears (-80 dBFS). */
const INAUDIBLE = 1e-8

/**
 * Checks whether a WAV written by extractSpeech may contain speech, so that silence and tones need no recognition, which
 * takes much longer. Any audio that keeps changing passes, however quiet. Reads no further than the first of it.
 * @throws the reason of `signal`.
 */
export async function mayContainSpeech(path: string, signal: AbortSignal): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0)
  let before: Float64Array = SILENCE
  let changing = 0
  for await (const chunk of createReadStream(path, { start: HEADER_BYTES })) {
    signal.throwIfAborted()
    const bytes = Buffer.concat([rest, chunk as Buffer])
    let at = 0
    for (; at + 2 * WINDOW_SAMPLES <= bytes.length; at += 2 * WINDOW_SAMPLES) {
      const spectrum = measureSpectrum(bytes, at)
      changing = isChanged(before, spectrum) ? changing + 1 : 0
      if (changing >= CHANGING_WINDOWS_MIN) return true
      before = spectrum
    }
    rest = bytes.subarray(at)
  }
  return false
}

/** Checks whether an audible window differs from the one before it in more than its level. */
function isChanged(before: Float64Array, spectrum: Float64Array): boolean {
  const [power, product, power_before] = [dot(spectrum, spectrum), dot(spectrum, before), dot(before, before)]
  if (power < INAUDIBLE) return false
  const shared = power_before === 0 ? 0 : product ** 2 / power_before
  return power - shared > STEADY_SHARE * power
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const BIN_HERTZ = SAMPLES_PER_SECOND / WINDOW_SAMPLES
const BINS = Array.from({ length: WINDOW_SAMPLES / 2 }, (_, bin) => bin).filter(
  (bin) => bin * BIN_HERTZ >= BAND_HERTZ.min && bin * BIN_HERTZ <= BAND_HERTZ.max,
)
const SILENCE = new Float64Array(BINS.length)
/** For each bin, the factors of a Fourier transform in a Hann window. All squares add up to the mean square. */
const FACTORS = BINS.map((bin) => {
  const angles = Array.from({ length: WINDOW_SAMPLES }, (_, at) => (2 * Math.PI * at) / WINDOW_SAMPLES)
  const hann = angles.map((angle) => (1 - Math.cos(angle)) / Math.sqrt(0.75) / WINDOW_SAMPLES)
  return {
    cosines: Float64Array.from(angles, (angle, at) => Math.cos(bin * angle) * (hann[at] ?? 0)),
    sines: Float64Array.from(angles, (angle, at) => Math.sin(bin * angle) * (hann[at] ?? 0)),
  }
})

/** Returns the amplitudes of the bins. */
function measureSpectrum(bytes: Buffer, from: number): Float64Array {
  const samples = new Float64Array(WINDOW_SAMPLES)
  for (let at = 0; at < WINDOW_SAMPLES; at += 1) samples[at] = bytes.readInt16LE(from + 2 * at) / 32768
  if (dot(samples, samples) < INAUDIBLE * WINDOW_SAMPLES) return SILENCE
  return Float64Array.from(FACTORS, ({ cosines, sines }) =>
    Math.hypot(dot(samples, cosines), dot(samples, sines)),
  )
}
