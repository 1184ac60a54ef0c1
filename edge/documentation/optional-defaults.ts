import { mapValues } from '../platform/map-values.ts'
import type { JsonSchema } from './operation-schemas.ts'

/**
 * Moves the default of each property into an equivalent `allOf`. The generator openapi-typescript makes a property with
 * a direct default required, so callers would have to send every parameter.
 */
export function optionalDefaults(schema: JsonSchema): JsonSchema {
  return mapValues(schema, (value, key) => {
    if (key === 'properties') return mapValues(value as Record<string, JsonSchema>, wrapProperty)
    if (Array.isArray(value) && key.endsWith('Of')) return value.map(optionalDefaults)
    return key === 'items' || key === 'additionalProperties' ? optionalPart(value) : value
  })
}

function wrapProperty(property: JsonSchema): JsonSchema {
  const schema = optionalDefaults(property)
  if (!('default' in schema)) return schema
  const { description, ...constraints } = schema
  return { description, allOf: [constraints] }
}

function optionalPart(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? optionalDefaults(value as JsonSchema) : value
}
