import { type Field, isAbsent, type Params, visibleFields } from './form-fields.ts'

/** What is wrong with a value. */
export type Fault =
  | { kind: 'required' | 'not_number' | 'not_integer' | 'not_time' | 'not_color' | 'not_url' | 'not_date' }
  | { kind: 'too_small' | 'too_large' | 'too_short' | 'too_long' | 'too_few' | 'too_many'; bound: number }

/** Faults by the path of their field, such as `width` or `tracks.0.url`. */
export type Faults = Readonly<Record<string, Fault>>

/** Finds every value that the service would refuse because of its field alone. */
export function findFaults(fields: readonly Field[], params: Params): Faults {
  return Object.fromEntries(visibleFields(fields, params).flatMap((field) => faultsAt(field, params)))
}

function faultsAt(field: Field, params: Params): [string, Fault][] {
  const value = params[field.key]
  if (isAbsent(value)) return field.required ? [[field.key, { kind: 'required' }]] : []
  const fault = faultOf(field, value)
  if (fault !== null) return [[field.key, fault]]
  const { fields } = field
  if (fields === null || !Array.isArray(value)) return []
  return value.flatMap((row: Params, index) =>
    Object.entries(findFaults(fields, row)).map(([path, inner]): [string, Fault] => [
      `${field.key}.${index}.${path}`,
      inner,
    ]),
  )
}

function faultOf(field: Field, value: unknown): Fault | null {
  if (field.type === 'integer' || field.type === 'number') return numberFault(field, Number(value))
  if (field.type === 'array') return Array.isArray(value) ? boundsFault(field, value.length, COUNT) : null
  return field.type === 'string' ? textFault(field, String(value)) : null
}

const SIZE = { below: 'too_small', above: 'too_large' } as const
const LENGTH = { below: 'too_short', above: 'too_long' } as const
const COUNT = { below: 'too_few', above: 'too_many' } as const

function boundsFault(
  { min, max }: Field,
  size: number,
  kinds: typeof SIZE | typeof LENGTH | typeof COUNT,
): Fault | null {
  if (min !== null && size < min) return { kind: kinds.below, bound: min }
  return max !== null && size > max ? { kind: kinds.above, bound: max } : null
}

function numberFault(field: Field, value: number): Fault | null {
  if (!Number.isFinite(value)) return { kind: field.control === 'time' ? 'not_time' : 'not_number' }
  if (field.type === 'integer' && !Number.isInteger(value)) return { kind: 'not_integer' }
  return boundsFault(field, value, SIZE)
}

function textFault(field: Field, text: string): Fault | null {
  const { control } = field
  if (control === 'color' && !isColor(text)) return { kind: 'not_color' }
  if ((control === 'url' || control === 'file') && !isAddress(text)) return { kind: 'not_url' }
  if (control === 'date' && Number.isNaN(Date.parse(text))) return { kind: 'not_date' }
  return boundsFault(field, text.length, LENGTH)
}

const COLOR = /^(#?([\da-f]{3}|[\da-f]{6})|black|white|gr[ae]y|red|orange|yellow|green|blue|purple|pink)$/i

/** Checks whether the service knows a color: #rrggbb, #rgb or a common name. */
export function isColor(text: string): boolean {
  return COLOR.test(text)
}

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^(https?|storage):$/.test(url.protocol)
}
