import type { Operation, ServiceSlug } from '../planning/operation.ts'
import { IMAGE_OPERATIONS } from './image/index.ts'
import { LINK_OPERATIONS } from './link/index.ts'
import { add_audio } from './video/add_audio.ts'
import { auto_edit } from './video/auto_edit.ts'
import { blur_bg } from './video/blur_bg.ts'
import { circle } from './video/circle.ts'
import { compress } from './video/compress.ts'
import { convert } from './video/convert.ts'
import { cover } from './video/cover.ts'
import { device_meta } from './video/device_meta.ts'
import { enhance_voice } from './video/enhance_voice.ts'
import { extract_audio } from './video/extract_audio.ts'
import { faststart } from './video/faststart.ts'
import { flip } from './video/flip.ts'
import { fps } from './video/fps.ts'
import { gif } from './video/gif.ts'
import { mute } from './video/mute.ts'
import { resize } from './video/resize.ts'
import { rotate } from './video/rotate.ts'
import { social } from './video/social.ts'
import { speed } from './video/speed.ts'
import { strip_metadata } from './video/strip_metadata.ts'
import { subtitles } from './video/subtitles.ts'
import { thumbnail } from './video/thumbnail.ts'
import { transcribe } from './video/transcribe.ts'
import { trim } from './video/trim.ts'
import { watermark } from './video/watermark.ts'

/** Lists all operations in the order that the studio and the documentation show them. */
export const OPERATIONS = [
  compress,
  resize,
  convert,
  social,
  trim,
  fps,
  faststart,
  mute,
  speed,
  rotate,
  flip,
  gif,
  thumbnail,
  cover,
  extract_audio,
  enhance_voice,
  add_audio,
  circle,
  blur_bg,
  watermark,
  subtitles,
  transcribe,
  auto_edit,
  device_meta,
  strip_metadata,
  ...LINK_OPERATIONS,
  ...IMAGE_OPERATIONS,
] as unknown as readonly Operation[]

export function findOperation(service: ServiceSlug, key: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.service === service && operation.key === key)
}
