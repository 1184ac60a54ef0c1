import type { JsonSchema } from './operation-schemas.ts'

type Schemas = Record<string, JsonSchema>

const REFERENCE = '#/components/schemas/'
/** Examples of strings whose format determines the form. */
const FORMATS: Record<string, string> = { binary: '(binary)', 'date-time': '2026-11-20T09:30:00.000Z' }

/**
 * Returns the example of a schema, or one made from the examples of its parts. Returns undefined if neither exists; a
 * test reports those schemas.
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, example, examples, default: initial, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.slice(REFERENCE.length)] ?? {}, schemas)
  if (example !== undefined) return example
  if (Array.isArray(examples)) return examples[0]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (initial !== undefined) return initial
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices !== undefined) return exampleOf(choices[0] ?? {}, schemas)
  if (Array.isArray(allOf)) return combine(allOf.map((part) => exampleOf(part, schemas)))
  if (schema.properties !== undefined) return exampleOfProperties(schema.properties as Schemas, schemas)
  if (schema.items !== undefined) return [exampleOf(schema.items as JsonSchema, schemas)]
  return typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
}

/** Combines the examples of parts that describe the same value. */
function combine(parts: readonly unknown[]): unknown {
  const objects = parts.filter((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
  return objects.length === 0 ? parts.find((part) => part !== undefined) : Object.assign({}, ...objects)
}

function exampleOfProperties(properties: Schemas, schemas: Schemas): Record<string, unknown> {
  const made = Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas)])
  return Object.fromEntries(made)
}
