import type { Form } from '../../forms/form.ts'
import { WATERMARK_FORM } from '../../forms/watermark-form.ts'
import { circleForm } from './circle.form.ts'
import { compressForm } from './compress.form.ts'
import { convertForm } from './convert.form.ts'
import { cropForm } from './crop.form.ts'
import { deviceMetaForm } from './device_meta.form.ts'
import { editForm } from './edit.form.ts'
import { enhanceForm } from './enhance.form.ts'
import { resizeForm } from './resize.form.ts'
import { socialForm } from './social.form.ts'
import { stripMetaForm } from './strip_meta.form.ts'
import { transformForm } from './transform.form.ts'
import { webOptimizeForm } from './web_optimize.form.ts'

/** Lists the forms of the image operations. */
export const IMAGE_FORMS = {
  'image/resize': resizeForm,
  'image/compress': compressForm,
  'image/convert': convertForm,
  'image/crop': cropForm,
  'image/circle': circleForm,
  'image/transform': transformForm,
  'image/enhance': enhanceForm,
  'image/social': socialForm,
  'image/web_optimize': webOptimizeForm,
  'image/strip_meta': stripMetaForm,
  'image/device_meta': deviceMetaForm,
  'image/watermark': WATERMARK_FORM,
  'image/edit': editForm,
} as const satisfies Record<string, Form>
