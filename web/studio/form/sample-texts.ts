import type { Tool } from '../tools.ts'
import { controlKind } from './control-kind.ts'
import type { Field, Params } from './form-fields.ts'

/** Checks whether a preset fills a field with words that only the user knows, such as a name. */
function isSampled({ presets }: Tool['config'], field: Field): boolean {
  const kind = controlKind(field)
  if (kind !== 'text' && kind !== 'multiline') return false
  return presets.length > 0 && presets.every(({ params }) => params[field.key] !== undefined)
}

/** Returns the parameters of a preset without its sample texts, which are no one's own words. */
export function withoutSamples({ config }: Pick<Tool, 'config'>, params: Params): Params {
  const sampled = config.fields.filter((field) => isSampled(config, field)).map(({ key }) => key)
  return Object.fromEntries(Object.entries(params).filter(([key]) => !sampled.includes(key)))
}

/**
 * Returns fields with the texts required that the service needs unless another field replaces them. All presets have
 * such a text.
 */
export function requireTexts({ config }: Pick<Tool, 'config'>): Field[] {
  const replaced = config.fields.flatMap(({ replaces }) => replaces ?? [])
  return config.fields.map((field) =>
    replaced.includes(field.key) && isSampled(config, field) ? { ...field, required: true } : field,
  )
}
