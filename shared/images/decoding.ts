import type { ImageFacts } from '../planning/facts.ts'
import type { HeicStep, ImageFormat, ImageStep, ProfileStep, SequenceStep } from '../planning/steps.ts'
import { supportsAnimation } from './formats.ts'

const HEIC_DECODED = 'decoded.tif'
const DECODED = 'decoded.png'
const PROFILED = 'profiled.png'
const FRAMES = 'frames.webp'

interface Decoding {
  /** Steps that run before the image can be edited. */
  steps: (HeicStep | SequenceStep | ImageStep | ProfileStep)[]
  /** The input for the edits. */
  source: Pick<ImageStep, 'input' | 'decoded_from'>
}

/**
 * Plans the decoding of what sharp does not support: HEIC, animated AVIF and PNG, and colors declared by code
 * points, which libvips would treat as sRGB.
 */
export function planDecoding(image: ImageFacts, source: string, output: ImageFormat): Decoding {
  const { format, color, bits_per_channel, decoded } = image
  const sequence = sequenceStep(image, source, output)
  if (sequence !== null) return { steps: [sequence], source: { input: FRAMES, decoded_from: source } }
  if (format === 'heic') {
    const colored = color === undefined ? {} : { color }
    const heic: HeicStep = { kind: 'heic', input: source, ...colored, output: { file: HEIC_DECODED } }
    return { steps: [heic], source: { input: HEIC_DECODED, decoded_from: source } }
  }
  const input = decoded?.file ?? source
  const decoded_from = decoded === undefined ? {} : { decoded_from: source }
  if (color === undefined) return { steps: [], source: { input, ...decoded_from } }
  const deep = bits_per_channel === 16 ? ({ bits_per_channel: 16 } as const) : {}
  const png: ImageStep = {
    kind: 'image',
    input,
    actions: [],
    output: { file: DECODED, format: 'png', quality: null, max_bytes: null, ...deep },
  }
  const profile: ProfileStep = { kind: 'profile', input: DECODED, color, output: { file: PROFILED } }
  return {
    steps: [png, profile],
    source: { input: PROFILED, decoded_from: source },
  }
}

/**
 * Plans the decoding of an animation. sharp reads only the first frame of an animated PNG, and no frame of an
 * animated AVIF.
 */
function sequenceStep(image: ImageFacts, source: string, output: ImageFormat): SequenceStep | null {
  const { sequence, width, height, pages } = image
  const frames = supportsAnimation(output) ? pages : 1
  if (sequence === undefined || (frames === 1 && sequence.container === 'png')) return null
  return {
    kind: 'sequence',
    input: source,
    sequence,
    size: { width, height },
    frames,
    output: { file: FRAMES },
  }
}
