import { exampleBody, exampleInput } from '../../shared/operations/examples.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { mapValues } from '../platform/map-values.ts'
import { exampleOf } from './examples.ts'
import { type JsonSchema, nameOf } from './operation-schemas.ts'

type Schemas = Record<string, JsonSchema>
export type Content = Record<string, { schema: JsonSchema; example?: unknown; examples?: object }>

/** The parts of an endpoint that can have examples. */
export interface ExampleTarget {
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** Request bodies that have an example for each operation, and the suffix of the names of these examples. */
const BY_OPERATION: Record<string, string> = {
  '#/components/schemas/JobSubmit': 'Job',
  '#/components/schemas/StudioRunRequest': 'Run',
}

/** Returns the examples of all operations, each named like "VideoTrimJob" or "VideoTrimRun". */
export function operationExamples(): Record<string, object> {
  const jobs = OPERATIONS.map((operation) => [nameOf(operation, 'Job'), jobExample(operation)])
  const runs = OPERATIONS.map((operation) => [nameOf(operation, 'Run'), runExample(operation)])
  return Object.fromEntries([...jobs, ...runs])
}

function jobExample(operation: Operation) {
  return { summary: operation.title, value: exampleBody(operation) }
}

/** Returns the example of a studio run, in which the input is outside the parameters. */
function runExample(operation: Operation) {
  const { params, ...address } = exampleBody(operation)
  const input = exampleInput(operation)
  const own = Object.entries(params).filter(([name]) => name === 'url' || !(name in input))
  return { summary: operation.title, value: { ...address, ...input, params: Object.fromEntries(own) } }
}

/** Adds an example to the request and to each successful response. Errors already have examples of their codes. */
export function addExamples<Target extends ExampleTarget>(endpoint: Target, schemas: Schemas): Target {
  const { requestBody, responses } = endpoint
  return {
    ...endpoint,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, (one) => inRequest(one, schemas)),
      },
    }),
    responses: mapValues(responses, ({ content, ...response }) => ({
      ...response,
      ...(content && { content: mapValues(content, (one) => withExample(one, schemas)) }),
    })),
  }
}

function inRequest(content: Content[string], schemas: Schemas): Content[string] {
  const suffix = BY_OPERATION[String(content.schema.$ref)]
  if (suffix === undefined) return withExample(content, schemas)
  const names = OPERATIONS.map((operation) => nameOf(operation, suffix))
  const references = names.map((name) => [name, { $ref: `#/components/examples/${name}` }])
  return { ...content, examples: Object.fromEntries(references) }
}

function withExample(content: Content[string], schemas: Schemas): Content[string] {
  if (content.example !== undefined || content.examples !== undefined) return content
  const example = exampleOf(content.schema, schemas)
  return example === undefined ? content : { ...content, example }
}
