import type { Field } from './form-fields.ts'

export type ControlKind =
  | 'check'
  | 'checks'
  | 'choice'
  | 'select'
  | 'slider'
  | 'number'
  | 'time'
  | 'date'
  | 'color'
  | 'file'
  | 'position'
  | 'rows'
  | 'multiline'
  | 'text'

/** More or longer options do not fit beside each other. */
const CHOICE_OPTIONS_MAX = 4
const CHOICE_CHARACTERS_MAX = 34

/** Returns the control that edits a parameter, or null if a form cannot edit it. */
export function controlKind(field: Field): ControlKind | null {
  const { type, control, fields } = field
  if (type === 'boolean') return 'check'
  if (control === 'position') return 'position'
  if (type === 'enum') return fitsOneLine(field) ? 'choice' : 'select'
  if (type === 'array') return fields === null ? (field.options === null ? null : 'checks') : 'rows'
  if (type === 'integer' || type === 'number') return numberKind(field)
  if (type === 'object') return null
  return textKind(control)
}

function numberKind({ control, min, max }: Field): ControlKind {
  if (control === 'time') return 'time'
  return control === 'slider' && min !== null && max !== null ? 'slider' : 'number'
}

function textKind(control: Field['control']): ControlKind {
  if (control === 'color' || control === 'date' || control === 'file') return control
  return control === 'multiline' || control === 'captions' ? 'multiline' : 'text'
}

function fitsOneLine(field: Field): boolean {
  const labels = namedOptions(field).map(({ label }) => label)
  const optional = field.default ?? field.required
  return (
    optional !== null &&
    optional !== false &&
    labels.length <= CHOICE_OPTIONS_MAX &&
    labels.join('').length <= CHOICE_CHARACTERS_MAX
  )
}

/** Returns the options of a field with their labels, without aliases. */
export function namedOptions({ options, option_labels }: Field): { value: string; label: string }[] {
  return (options ?? []).flatMap((option, index) => {
    const label = option_labels === null ? String(option) : option_labels[index]
    return label === null || label === undefined ? [] : [{ value: String(option), label }]
  })
}

/** Returns the option, as its field types it, that a control names. */
export function optionNamed({ options }: Field, name: string): string | number | null {
  return options?.find((option) => String(option) === name) ?? null
}
