import type { Tool } from '../tools.ts'
import { controlKind } from './control-kind.ts'
import type { Field, Params } from './form-fields.ts'

/** Checks whether a preset fills a field with words that only the user knows, such as a name. */
function isSampled({ presets }: Tool['config'], field: Field): boolean {
  const kind = controlKind(field)
  if (kind !== 'text' && kind !== 'multiline') return false
  return presets.length > 0 && presets.every(({ params }) => params[field.key] !== undefined)
}

/** Returns parameters without texts that presets fill with a sample, which is no one's own words. */
export function withoutSamples({ config }: Pick<Tool, 'config'>, params: Params): Params {
  const sampled = sampledKeys(config)
  return Object.fromEntries(Object.entries(params).filter(([key]) => !sampled.has(key)))
}

/** Returns only the texts for which presets have a sample. */
export function ownTexts({ config }: Pick<Tool, 'config'>, params: Params): Params {
  const sampled = sampledKeys(config)
  return Object.fromEntries(Object.entries(params).filter(([key]) => sampled.has(key)))
}

function sampledKeys(config: Tool['config']): Set<string> {
  return new Set(config.fields.filter((field) => isSampled(config, field)).map(({ key }) => key))
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
