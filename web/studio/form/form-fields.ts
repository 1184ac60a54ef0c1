import type { Field, Tool } from '../tools.ts'
import { requireTexts } from './sample-texts.ts'

export type { Field }
export type Params = Record<string, unknown>

/** Fields in a group with a title, or between groups. */
export interface Section {
  title: string | null
  fields: Field[]
}

/** Returns the fields that a form asks for. The link of a link operation is its input, not a setting. */
export function formFields(tool: Pick<Tool, 'accepts' | 'config'>): Field[] {
  const fields = requireTexts(tool)
  return tool.accepts.includes('link') ? fields.filter(({ key }) => key !== 'url') : fields
}

/** Returns the value that the service would use: the parameter, or else its default. */
export function effectiveValue(field: Field, params: Params): unknown {
  return params[field.key] ?? field.default ?? null
}

/**
 * Returns the fields that have an effect with these parameters. A hidden field also hides those that depend on it, and
 * replaces none.
 */
export function visibleFields(fields: readonly Field[], params: Params): Field[] {
  const isVisible = ({ shown_when }: Field): boolean => {
    const other = fields.find(({ key }) => key === shown_when?.field)
    if (shown_when === null || other === undefined) return true
    // Of an array, one entry is enough.
    const values = [effectiveValue(other, params)].flat()
    return isVisible(other) && values.some((value) => shown_when.values.includes(value as string))
  }
  const shown = fields.filter(isVisible)
  const replaced = new Set(
    shown.flatMap(({ key, replaces }) => (isAbsent(params[key]) ? [] : (replaces ?? []))),
  )
  return shown.filter(({ key }) => !replaced.has(key))
}

/** Collects the fields of each group at the place of its first field. Other fields keep their order. */
export function arrangeFields(fields: readonly Field[]): Section[] {
  const sections: (Section & { key: string | null })[] = []
  for (const field of fields) {
    const key = field.group?.key ?? null
    const known = key === null ? sections.at(-1) : sections.find((section) => section.key === key)
    if (known?.key === key) known.fields.push(field)
    else sections.push({ key, title: field.group?.title ?? null, fields: [field] })
  }
  return sections.map(({ title, fields: members }) => ({ title, fields: members }))
}

/** Returns parameters with one value changed. Without a value, the default applies. */
export function withParam(params: Params, key: string, value: unknown): Params {
  const { [key]: _, ...rest } = params
  return isAbsent(value) ? rest : { ...rest, [key]: value }
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Returns the field at the path of a fault, such as `tracks.0.url`. */
export function fieldAt(fields: readonly Field[], path: string): Field | null {
  const [key, _, ...rest] = path.split('.')
  const field = fields.find((each) => each.key === key)
  if (field === undefined) return null
  return rest.length === 0 ? field : fieldAt(field.fields ?? [], rest.join('.'))
}
