import type { Field, Params } from '../studio/form/form-fields.ts'

/** What every editor on the picture receives. It sets the same parameters as the form below it. */
export interface EditorProps {
  /** The input that is shown. */
  file: File
  kind: 'video' | 'image'
  fields: readonly Field[]
  params: Params
  onChange: (params: Params) => void
}

/** Returns the number that applies to a field: the parameter, its default, or null. */
export function numberIn(
  { fields, params }: Pick<EditorProps, 'fields' | 'params'>,
  key: string,
): number | null {
  const value = params[key] ?? fields.find((field) => field.key === key)?.default
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Returns parameters with some values changed. Null removes a value: its default applies. */
export function withValues(params: Params, values: Params): Params {
  const entries = Object.entries({ ...params, ...values }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries)
}
