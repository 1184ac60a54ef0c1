import {
  type AudioSample,
  AudioSampleSink,
  BlobSource,
  Input,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny'

/** Decoding takes about a second per two minutes on a phone. */
const WHOLE_SECONDS_MAX = 180

/**
 * Reads the loudest sample of each of `count` equal parts of a file, from 0 to 1. Of long files, it decodes only one
 * packet per part, so that a file of any size takes seconds and little memory.
 * @returns null if the file has no audio, or none that this browser can decode
 */
export async function readPeaks(
  file: File,
  length_seconds: number,
  count: number,
  signal: AbortSignal,
): Promise<Float32Array | null> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM, MATROSKA, OGG] })
  try {
    const track = await input.getPrimaryAudioTrack()
    if (track === null || !(await track.canDecode())) return null
    const peaks = new Float32Array(count)
    const parts_per_second = count / length_seconds
    const sink = new AudioSampleSink(track)
    const middles = Array.from(peaks, (_, part) => (part + 0.5) / parts_per_second)
    const decoded =
      length_seconds > WHOLE_SECONDS_MAX ? sink.samplesAtTimestamps(middles) : sink.samples(0, length_seconds)
    for await (const sample of decoded) {
      try {
        if (signal.aborted) return null
        if (sample !== null) addSample(peaks, sample, parts_per_second)
      } finally {
        sample?.close()
      }
    }
    return peaks
  } catch {
    return null
  } finally {
    input.dispose()
  }
}

function addSample(peaks: Float32Array, sample: AudioSample, parts_per_second: number): void {
  const samples = new Float32Array(sample.numberOfFrames)
  for (let channel = 0; channel < sample.numberOfChannels; channel++) {
    sample.copyTo(samples, { planeIndex: channel, format: 'f32-planar' })
    addPeaks(peaks, samples, sample.timestamp * parts_per_second, parts_per_second / sample.sampleRate)
  }
}

/**
 * Raises peaks to the samples that fall into their parts.
 * @param first part of the first sample, which can lie before or after all parts
 * @param step parts from one sample to the next
 */
export function addPeaks(peaks: Float32Array, samples: Float32Array, first: number, step: number): void {
  for (const [index, sample] of samples.entries()) {
    const part = Math.floor(first + index * step)
    const peak = peaks[part]
    if (peak !== undefined) peaks[part] = Math.max(peak, Math.min(1, Math.abs(sample)))
  }
}
