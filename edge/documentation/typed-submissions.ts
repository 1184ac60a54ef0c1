import { OPERATIONS } from '../../shared/operations/index.ts'
import { describeOperations, type JsonSchema, reference } from './operation-schemas.ts'

/** Request bodies that select an operation, each with the union that describes it. */
const SUBMISSIONS = {
  JobSubmit: 'JobOperation',
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
    typeSubmission(schemas[name] ?? {}, union),
  ])
  return { ...schemas, ...describeOperations(OPERATIONS), ...Object.fromEntries(typed) }
}

function typeSubmission(schema: JsonSchema, union: string): JsonSchema {
  const {
    properties = {},
    required = [],
    description,
    example,
  } = schema as {
    properties?: Record<string, JsonSchema>
    required?: string[]
    description?: string
    example?: unknown
  }
  const others = Object.fromEntries(Object.entries(properties).filter(([name]) => !SELECTION.includes(name)))
  const needed = required.filter((name) => !SELECTION.includes(name))
  const rest = { type: 'object', properties: others, ...(needed.length > 0 && { required: needed }) }
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    allOf: [reference(union), rest],
  }
}
