import { circle } from './circle.ts'
import { compress } from './compress.ts'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { device_meta } from './device_meta.ts'
import { edit } from './edit.ts'
import { enhance } from './enhance.ts'
import { resize } from './resize.ts'
import { social } from './social.ts'
import { strip_meta } from './strip_meta.ts'
import { transform } from './transform.ts'
import { watermark } from './watermark.ts'
import { web_optimize } from './web_optimize.ts'

/** Lists the operations of the image service, in the order that the studio shows them. */
export const IMAGE_OPERATIONS = [
  resize,
  compress,
  convert,
  crop,
  circle,
  transform,
  enhance,
  social,
  web_optimize,
  strip_meta,
  device_meta,
  watermark,
  edit,
] as const
