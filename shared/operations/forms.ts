import type { Form } from '../forms/form.ts'
import type { Operation } from '../planning/operation.ts'
import { IMAGE_FORMS } from './image/forms.ts'
import { LINK_FORMS } from './link/forms.ts'
import { VIDEO_FORMS } from './video/forms.ts'

const FORMS: Readonly<Record<string, Form>> = { ...VIDEO_FORMS, ...LINK_FORMS, ...IMAGE_FORMS }

/** Returns the form of an operation. Every operation has one (forms.test.ts). */
export function formOf({ service, key }: Pick<Operation, 'service' | 'key'>): Form {
  const form = FORMS[`${service}/${key}`]
  if (form === undefined) throw new Error(`${service}/${key} has no form`)
  return form
}
