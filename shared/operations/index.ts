import { convert } from './image/convert.ts'
import { resize } from './image/resize.ts'
import type { Operation, ServiceSlug } from './operation.ts'
import { blur_bg } from './video/blur_bg.ts'
import { circle } from './video/circle.ts'
import { compress } from './video/compress.ts'
import { cover } from './video/cover.ts'
import { extract_audio } from './video/extract_audio.ts'
import { gif } from './video/gif.ts'
import { thumbnail } from './video/thumbnail.ts'
import { trim } from './video/trim.ts'
import { watermark } from './video/watermark.ts'

/** The catalogue, in the order in which people see it. */
export const OPERATIONS = [
  compress,
  trim,
  gif,
  thumbnail,
  cover,
  extract_audio,
  circle,
  blur_bg,
  watermark,
  resize,
  convert,
] as unknown as readonly Operation[]

export function findOperation(service: ServiceSlug, key: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.service === service && operation.key === key)
}
