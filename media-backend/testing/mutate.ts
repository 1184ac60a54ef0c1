import sharp from 'sharp'
import type { JobSpec } from './attempt-jobs.ts'
import { HEIC } from './heic-image.ts'
import { smallClip } from './hostile-clips.ts'
import { validSpec } from './valid-spec.ts'

/** A job on a corrupted file. The same seed and number always produce the same file and job spec. */
export interface MutatedJob {
  name: string
  spec: JobSpec
  input: Buffer
}

interface Sample {
  name: string
  content: Buffer
  specs: readonly JobSpec[]
}

const specs = (service_slug: JobSpec['service_slug'], keys: Record<string, JobSpec['params']>): JobSpec[] =>
  Object.entries(keys).map(([operation_key, params]) => validSpec(service_slug, operation_key, params))

const LINES = '1\n00:00:00,000 --> 00:00:00,900\nline\n'
const VIDEO = specs('video', {
  ...{ strip_metadata: {}, thumbnail: {}, compress: {}, trim: { start: 0.2, duration: 0.6 }, gif: {} },
  ...{ mute: {}, extract_audio: {}, convert: { format: 'mkv' }, enhance_voice: {}, rotate: {} },
  ...{ subtitles: { mode: 'embed', subtitles_text: LINES }, speed: { factor: 2 } },
})
const IMAGE = specs('image', {
  ...{ convert: { format: 'png' }, resize: { width: 40 }, strip_meta: {}, compress: {} },
  ...{ device_meta: { preset: 'iphone' }, circle: {}, web_optimize: {}, transform: { rotate: 90 } },
})

/** Makes twelve small files, each in a different format. */
export async function fuzzSamples(): Promise<Sample[]> {
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  // Creates this image from pixels in memory, because this process may have blocked sharp's other loaders.
  const pixels = Buffer.from(Array.from({ length: 120 * 90 * 3 }, (_, at) => (at * at) >> 7))
  const image = sharp(pixels, { raw: { width: 120, height: 90, channels: 3 } })
  const frames = await sharp(Buffer.alloc(64 * 64 * 3 * 4, 'frames'), {
    raw: { width: 64, height: 256, channels: 3, pageHeight: 64 },
  })
    .gif()
    .toBuffer()
  const videos: Record<string, Buffer> = {
    mp4: await smallClip('fuzz.mp4', [...x264, '-c:a', 'aac']),
    mov: await smallClip('fuzz.mov', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le']),
    mkv: await smallClip('fuzz.mkv', [...x264, '-c:a', 'flac']),
    webm: await smallClip('fuzz.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']),
    avi: await smallClip('fuzz.avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']),
    ts: await smallClip('fuzz.ts', ['-c:v', 'mpeg2video', '-c:a', 'mp2']),
  }
  const images: Record<string, Buffer> = {
    jpeg: await image
      .clone()
      .jpeg()
      .withMetadata({ exif: { IFD0: { Make: 'fuzz' } } })
      .toBuffer(),
    png: await image.clone().png().toBuffer(),
    webp: await image.clone().webp().toBuffer(),
    avif: await image.clone().avif({ effort: 0 }).toBuffer(),
    gif: frames,
    heic: HEIC,
  }
  const samples = (files: Record<string, Buffer>, list: readonly JobSpec[]) =>
    Object.entries(files).map(([name, content]) => ({ name, content, specs: list }))
  return [...samples(videos, VIDEO), ...samples(images, IMAGE)]
}

/** Returns the job with the given number. Samples and operations rotate, and each job is corrupted differently. */
export function mutatedJob(samples: readonly Sample[], seed: number, number: number): MutatedJob {
  const random = randomOf(seed * 1_000_003 + number)
  const sample = samples[number % samples.length]
  const turn = Math.floor(number / samples.length)
  const spec = sample?.specs[turn % sample.specs.length]
  if (sample === undefined || spec === undefined) throw new Error('there are no samples')
  const [way, mutate] = WAYS[Math.floor(random() * WAYS.length)] ?? WAYS[0]
  return {
    name: `${number}: ${sample.name}, ${way}, ${spec.operation_key}`,
    spec,
    input: mutate(Buffer.from(sample.content), random),
  }
}

type Random = () => number
type Way = [name: string, mutate: (bytes: Buffer, random: Random) => Buffer]

/**
 * Length of the areas at the start and end of a file that hold headers and indexes, where faults have the largest
 * effect.
 */
const HEADER_BYTES = 1024

const WAYS: readonly [Way, ...Way[]] = [
  ['flipped bits everywhere', (bytes, random) => flip(bytes, 0, bytes.length, random)],
  [
    'flipped bits in the header',
    (bytes, random) => flip(bytes, 0, Math.min(HEADER_BYTES, bytes.length), random),
  ],
  [
    'flipped bits at the end',
    (bytes, random) => flip(bytes, Math.max(0, bytes.length - HEADER_BYTES), bytes.length, random),
  ],
  ['truncated', (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length))],
  ['missing start', (bytes, random) => bytes.subarray(Math.floor(random() * HEADER_BYTES))],
  ['a block of ones', (bytes, random) => bytes.fill(0xff, ...range(bytes, random))],
  ['a block of zeros', (bytes, random) => bytes.fill(0, ...range(bytes, random))],
  [
    'repeated block',
    (bytes, random) => {
      const [start, end] = range(bytes, random)
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
    },
  ],
  [
    'missing block',
    (bytes, random) => {
      const [start, end] = range(bytes, random)
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
    },
  ],
]

/** Flips bits in up to one of every fifty bytes. */
function flip(bytes: Buffer, start: number, end: number, random: Random): Buffer {
  const count = 1 + Math.floor(random() * random() * ((end - start) / 50))
  for (let done = 0; done < count; done += 1) {
    const at = start + Math.floor(random() * (end - start))
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  }
  return bytes
}

function range(bytes: Buffer, random: Random): [number, number] {
  const start = Math.floor(random() * bytes.length)
  return [start, Math.min(bytes.length, start + 1 + Math.floor(random() * HEADER_BYTES))]
}

/** Mulberry32, a small generator that is good enough to corrupt files. */
function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
