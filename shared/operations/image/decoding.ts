import type { ImageFacts } from '../facts.ts'
import type { HeicStep, ImageStep, ProfileStep } from '../steps.ts'

const DECODED = 'decoded.png'
const PROFILED = 'profiled.png'

interface Decoding {
  /** What must run before the image can be edited. */
  steps: (HeicStep | ImageStep | ProfileStep)[]
  /** What is then edited. */
  source: Pick<ImageStep, 'input' | 'decoded_from'>
}

/**
 * Plans what sharp cannot do by itself: decoding HEIC, and colors that are named by code points, which
 * libvips would take for sRGB.
 */
export function planDecoding({ format, color, bits_per_channel }: ImageFacts, source: string): Decoding {
  const heic: HeicStep = { kind: 'heic', input: source, output: { file: DECODED } }
  if (color === undefined)
    return format === 'heic'
      ? { steps: [heic], source: { input: DECODED, decoded_from: source } }
      : { steps: [], source: { input: source } }
  const deep = bits_per_channel === 16 ? ({ bits_per_channel: 16 } as const) : {}
  const png: ImageStep = {
    kind: 'image',
    input: source,
    actions: [],
    output: { file: DECODED, format: 'png', quality: null, max_bytes: null, ...deep },
  }
  const profile: ProfileStep = { kind: 'profile', input: DECODED, color, output: { file: PROFILED } }
  return {
    steps: [format === 'heic' ? heic : png, profile],
    source: { input: PROFILED, decoded_from: source },
  }
}
