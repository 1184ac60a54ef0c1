import { z } from 'zod'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { addressFields, type JsonSchema, nameOf, reference } from './operation-schemas.ts'

type Schemas = Record<string, JsonSchema>

/** A JSON Schema of an object, as zod writes it. */
interface ObjectSchema extends JsonSchema {
  properties: Schemas
  required: string[]
}

/**
 * Replaces `Job` with a union of the records of all operations, so generated clients know the fields of
 * `result.body` once they have compared `service_slug` and `operation_key`. Contract: Jobs, Job record.
 */
export function typeResults(schemas: Schemas): Schemas {
  const job = schemas.Job as ObjectSchema
  const result = schemas.Result as ObjectSchema
  const records = OPERATIONS.map(
    (operation) => [nameOf(operation, 'JobRecord'), recordOf(operation, job)] as const,
  )
  const results = OPERATIONS.map(
    (operation) => [nameOf(operation, 'Result'), resultOf(operation, result)] as const,
  )
  const bodies = OPERATIONS.map((operation) => [nameOf(operation, 'ResultBody'), bodyOf(operation)] as const)
  return {
    ...schemas,
    JobRecord: {
      ...without(job, ['service_slug', 'operation_key', 'result']),
      description: 'The fields of a job that do not depend on its operation',
    },
    ResultRecord: {
      ...without(result, ['body']),
      description: 'The fields of a result that do not depend on its operation',
    },
    ...Object.fromEntries([...records, ...results, ...bodies]),
    Job: {
      ...(job.example === undefined ? {} : { example: job.example }),
      description: 'A job. `service_slug` and `operation_key` determine the fields of `result.body`',
      oneOf: records.map(([name]) => reference(name)),
    },
  }
}

function recordOf(operation: Operation, { properties: { result } }: ObjectSchema): JsonSchema {
  const properties = {
    ...addressFields(operation),
    result: {
      description: result?.description,
      anyOf: [reference(nameOf(operation, 'Result')), { type: 'null' }],
    },
  }
  return {
    description: `A job that runs "${operation.title}"`,
    allOf: [
      reference('JobRecord'),
      { type: 'object', properties, required: ['service_slug', 'operation_key', 'result'] },
    ],
  }
}

function resultOf(operation: Operation, { properties: { body } }: ObjectSchema): JsonSchema {
  const reason = { description: body?.description }
  const properties = { body: { ...reason, allOf: [reference(nameOf(operation, 'ResultBody'))] } }
  return {
    description: `Result of "${operation.title}"`,
    allOf: [reference('ResultRecord'), { type: 'object', properties, required: ['body'] }],
  }
}

/**
 * Describes the body of an operation. No field is required: another operation of a pipeline can determine the result,
 * and long lists omit bodies. Fields that an operation always has when it runs alone are named in the description.
 */
function bodyOf({ title, result_body }: Operation): JsonSchema {
  const schema = z.toJSONSchema(result_body) as ObjectSchema
  const { $schema: _, required = [], additionalProperties: __, ...open } = schema
  const always = required.map((name) => `\`${name}\``).join(', ')
  return {
    ...open,
    description: `What "${title}" measured: always ${always}; the other fields where they apply. In a pipeline, the last operation determines the fields`,
  }
}

function without({ properties, required, ...schema }: ObjectSchema, names: readonly string[]): JsonSchema {
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(name)),
  }
}
