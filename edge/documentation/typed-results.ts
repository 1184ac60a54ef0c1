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

/** A record that shows the result of an operation. */
interface TypedRecord {
  /** Name of its schema. */
  name: string
  /** What the record is, such as "A job". */
  title: string
  /** Operations that such a record can have. */
  operations: readonly Operation[]
}

const RECORDS: readonly TypedRecord[] = [
  { name: 'Job', title: 'A job', operations: OPERATIONS },
  {
    name: 'UploadSession',
    title: 'An upload session',
    operations: OPERATIONS.filter(({ accepts }) => !accepts.includes('link')),
  },
]

/**
 * Replaces each record with a union of the records of its operations, so generated clients know the fields of
 * `result.body` once they have compared `service_slug` and `operation_key`. Contract: Jobs, Job record; Upload links,
 * Upload session record.
 */
export function typeResults({ Result, ...schemas }: Schemas): Schemas {
  const result = Result as ObjectSchema
  const results = OPERATIONS.map(
    (operation) => [nameOf(operation, 'Result'), resultOf(operation, result)] as const,
  )
  const bodies = OPERATIONS.map((operation) => [nameOf(operation, 'ResultBody'), bodyOf(operation)] as const)
  const records = RECORDS.map((record) => typeRecord(record, schemas[record.name] as ObjectSchema))
  return {
    ...schemas,
    ResultRecord: {
      ...without(result, ['body']),
      description: 'The fields of a result that do not depend on its operation',
    },
    ...Object.fromEntries([...results, ...bodies]),
    ...Object.assign({}, ...records),
  }
}

/** Returns the union of a record, its common fields, and the record of each operation. */
function typeRecord({ name, title, operations }: TypedRecord, record: ObjectSchema): Schemas {
  const common = `${name}Record`
  const own = operations.map(
    (operation) => [nameOf(operation, common), recordOf(operation, { common, title, record })] as const,
  )
  return {
    [common]: {
      ...without(record, ['service_slug', 'operation_key', 'result']),
      description: `${title}, without the fields that depend on its operation`,
    },
    ...Object.fromEntries(own),
    [name]: {
      ...(record.example === undefined ? {} : { example: record.example }),
      description: `${title}. \`service_slug\` and \`operation_key\` determine the fields of \`result.body\``,
      oneOf: own.map(([one]) => reference(one)),
    },
  }
}

function recordOf(
  operation: Operation,
  { common, title, record }: { common: string; title: string; record: ObjectSchema },
): JsonSchema {
  const properties = {
    ...addressFields(operation),
    result: {
      description: record.properties.result?.description,
      anyOf: [reference(nameOf(operation, 'Result')), { type: 'null' }],
    },
  }
  return {
    description: `${title} that runs "${operation.title}"`,
    allOf: [
      reference(common),
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
