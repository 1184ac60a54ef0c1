import type { Tool } from '../tools.ts'
import { type Field, formFields, isAbsent, type Params, visibleFields } from './form-fields.ts'
import { withoutSamples } from './sample-texts.ts'

/**
 * Returns what a job needs: values that differ from the defaults and have an effect, in the order of the fields.
 * Parameters without a field, such as the further operations of a pipeline, are kept.
 */
export function sentParams(fields: readonly Field[], params: Params): Params {
  const known = new Set(fields.map(({ key }) => key))
  const sent = visibleFields(fields, params).flatMap((field) => {
    const value = sentValue(field, params[field.key])
    return isAbsent(value) || isSame(value, field.default) ? [] : [[field.key, value] as const]
  })
  const others = Object.entries(params).filter(([key]) => !known.has(key))
  return Object.fromEntries([...sent, ...others])
}

function sentValue({ fields, type }: Field, value: unknown): unknown {
  if (fields !== null && Array.isArray(value)) return value.map((row: Params) => sentParams(fields, row))
  return type === 'array' && Array.isArray(value) && value.length === 0 ? null : value
}

/**
 * Returns the index of the preset that sets exactly these parameters, except for the user's own words, or null for the
 * user's own settings.
 */
export function matchingPreset(tool: Pick<Tool, 'accepts' | 'config'>, params: Params): number | null {
  const fields = formFields(tool)
  const settingsOf = (all: Params) => sentParams(fields, withoutSamples(tool, all))
  const settings = settingsOf(params)
  const index = tool.config.presets.findIndex((preset) => isSame(settingsOf(preset.params), settings))
  return index < 0 ? null : index
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
