import { OPERATIONS } from '../../shared/operations/index.ts'
import { describeOperations, type JsonSchema, reference } from './operation-schemas.ts'

/** Request bodies that select an operation, each with the union that describes it. */
const SUBMISSIONS = {
  JobSubmit: 'JobOperation',
  QuoteRequest: 'QuotedOperation',
  StudioRunRequest: 'StudioOperation',
  BatchRunRequest: 'StudioOperation',
} as const

/** Fields that the union describes. */
const SELECTION = ['service_slug', 'operation_key', 'operation_id', 'params']

/**
 * Adds the schemas of all operations to the document's schemas, and replaces the open `params` of submissions with
 * a union, so generated clients know the parameters of each operation.
 */
export function typeSubmissions(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const typed = Object.entries(SUBMISSIONS).map(([name, union]) => [
    name,
    typeSubmission(flatten(schemas[name] ?? {}, schemas), union),
  ])
  return { ...schemas, ...describeOperations(OPERATIONS), ...Object.fromEntries(typed) }
}

interface Flat {
  properties: Record<string, JsonSchema>
  required: string[]
  about: JsonSchema
}

/** Returns all fields of an object schema, including those of a schema that it extends. */
function flatten(schema: JsonSchema, schemas: Record<string, JsonSchema>): Flat {
  const {
    properties = {},
    required = [],
    allOf = [],
    $ref,
    description,
    example,
  } = schema as Partial<Flat> & {
    allOf?: JsonSchema[]
    $ref?: string
    description?: string
    example?: unknown
  }
  const extended = $ref === undefined ? allOf : [schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}]
  const parts = extended.map((part) => flatten(part, schemas))
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required), ...required],
    about: { ...(description !== undefined && { description }), ...(example !== undefined && { example }) },
  }
}

function typeSubmission({ properties, required, about }: Flat, union: string): JsonSchema {
  const others = Object.fromEntries(Object.entries(properties).filter(([name]) => !SELECTION.includes(name)))
  const needed = required.filter((name) => !SELECTION.includes(name))
  const rest = { type: 'object', properties: others, ...(needed.length > 0 && { required: needed }) }
  return { ...about, allOf: [reference(union), rest] }
}
