import type { Task } from './task.ts'

/** Inputs and settings with which a result can look wrong although the job is done. */
export const QUALITY: readonly Task[] = [
  {
    ...{ service_slug: 'video', operation_key: 'resize', sample: 'hdr', params: { width: 240 } },
    case: 'HDR10 becomes SDR',
  },
  {
    ...{ service_slug: 'video', operation_key: 'thumbnail', sample: 'hdr', params: { at: 1.2 } },
    case: 'A frame of HDR10 becomes SDR',
  },
  {
    ...{ service_slug: 'video', operation_key: 'compress', sample: 'clip', params: { codec: 'av1' } },
    case: 'AV1 looks like its source',
  },
  {
    ...{ service_slug: 'video', operation_key: 'trim', sample: 'long', params: { start: 1.2, duration: 20 } },
    case: 'A cut between keyframes encodes only its ends',
  },
  {
    ...{ service_slug: 'video', operation_key: 'cover', sample: 'clip' },
    params: { title: 'Color 🎉 👩🏽‍🚀 🇺🇦', subtitle: 'Emoji, joined emoji and flags' },
    case: 'Emoji are in color, and joined ones are one',
  },
  {
    ...{ service_slug: 'image', operation_key: 'convert', sample: 'wide', params: { format: 'jpeg' } },
    case: 'Display P3 keeps its colors',
  },
  {
    ...{ service_slug: 'image', operation_key: 'convert', sample: 'animation', params: { format: 'webp' } },
    case: 'An animated AVIF stays animated as WebP',
  },
  {
    ...{ service_slug: 'image', operation_key: 'watermark', sample: 'photo' },
    params: { text: '🌅 👩🏽‍🚀', position: 'br', size: 30, opacity: 1 },
    case: 'A watermark of emoji',
  },
]
