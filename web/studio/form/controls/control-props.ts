import type { FieldProps } from '../../../design/field.tsx'
import type { Field } from '../form-fields.ts'

/** What every control of a form receives. */
export interface ControlProps extends Pick<FieldProps, 'fault'> {
  field: Field
  /** Value of the parameter; null or undefined while it is not set. */
  value: unknown
  /** Receives null for no value: the default applies. */
  onChange: (value: unknown) => void
}

/** Label, hint and fault of a control. */
export function notesOf({ field: { label, hint }, fault }: ControlProps) {
  return { label, hint, fault }
}
