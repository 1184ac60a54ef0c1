import { controlKind, namedOptions } from '../studio/form/control-kind.ts'
import { withUnit } from '../studio/form/describe-fault.ts'
import { type Field, formFields, type Params } from '../studio/form/form-fields.ts'
import { matchingPreset, sentParams } from '../studio/form/sent-params.ts'
import type { Tool } from '../studio/tools.ts'

/** Writes what a step does in one line: its preset, if it is one, and each setting that differs from its default. */
export function summarizeStep(tool: Pick<Tool, 'accepts' | 'config'>, params: Params): string {
  const fields = formFields(tool)
  const sent = sentParams(fields, params)
  const preset = tool.config.presets[matchingPreset(tool, params) ?? -1]
  const settings = fields
    .filter(({ key }) => sent[key] !== undefined)
    .map((field) => describeSetting(field, sent[field.key]))
  return [...(preset === undefined ? [] : [preset.label]), ...settings].join(' · ')
}

function describeSetting(field: Field, value: unknown): string {
  const { label } = field
  const text = describeValue(field, value)
  return text === null ? label : `${label}: ${text}`
}

/** Returns null for values that say nothing in words, such as the address of a file. */
function describeValue(field: Field, value: unknown): string | null {
  if (typeof value === 'number') return optionLabel(field, value) ?? withUnit(value, field.unit_symbol)
  if (typeof value === 'boolean') return value ? null : '–'
  if (typeof value !== 'string' || controlKind(field) === 'file') return null
  return optionLabel(field, value) ?? `“${value.replace(/\s+/g, ' ').trim()}”`
}

function optionLabel(field: Field, value: string | number): string | null {
  return namedOptions(field).find((option) => option.value === String(value))?.label ?? null
}
