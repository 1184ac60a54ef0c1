import type { Form } from '../forms/form.ts'
import type { Operation } from '../planning/operation.ts'
import { compressForm } from './video/compress.form.ts'
import { convertForm } from './video/convert.form.ts'
import { faststartForm } from './video/faststart.form.ts'
import { flipForm } from './video/flip.form.ts'
import { fpsForm } from './video/fps.form.ts'
import { muteForm } from './video/mute.form.ts'
import { resizeForm } from './video/resize.form.ts'
import { rotateForm } from './video/rotate.form.ts'
import { socialForm } from './video/social.form.ts'
import { speedForm } from './video/speed.form.ts'
import { trimForm } from './video/trim.form.ts'

const FORMS: Readonly<Record<string, Form>> = {
  'video/compress': compressForm,
  'video/resize': resizeForm,
  'video/convert': convertForm,
  'video/social': socialForm,
  'video/trim': trimForm,
  'video/fps': fpsForm,
  'video/faststart': faststartForm,
  'video/mute': muteForm,
  'video/speed': speedForm,
  'video/rotate': rotateForm,
  'video/flip': flipForm,
}

/** Returns the form of an operation. */
export function formOf({ service, key, title, description }: Operation): Form {
  return FORMS[`${service}/${key}`] ?? plainForm({ title, description })
}

function plainForm({ title, description }: Pick<Operation, 'title' | 'description'>): Form {
  return {
    group: 'create',
    title: { uk_ru: title },
    description: { uk_ru: description },
    fields: {},
    presets: {},
  }
}
