import { z } from 'zod'
import { exampleBody, exampleParams } from '../../shared/operations/examples.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { PIPELINE_STAGES_MAX } from '../../shared/protocol/dispatch.ts'

/** A JSON Schema (draft 2020-12), as used in OpenAPI 3.1 documents. */
export type JsonSchema = Record<string, unknown>
type Schemas = Record<string, JsonSchema>

const ADDRESS = { type: 'string', minLength: 1, maxLength: 4096 }

/** Parameters that every job on a file has, in addition to those of its operation. Contract: Catalog, Pipelines. */
const FILE_PARAMS = {
  file_url: { ...ADDRESS, description: 'URL of the input: an upload, a result of a job, or a public URL' },
  filename: { type: 'string', maxLength: 255, description: 'Base name of the result file' },
}

/** Submissions have more fields. Without this keyword, linters assume that an object has none. */
const OPEN = { unevaluatedProperties: true }

const PIPELINE = {
  type: 'array',
  maxItems: PIPELINE_STAGES_MAX,
  description:
    'Further operations of the same service. They run in order, each on the result of the one before',
}

/**
 * Describes each operation with its specific parameters: as a job, as a selection in the studio, and as a pipeline
 * stage. The unions JobOperation and StudioOperation contain all operations.
 */
export function describeOperations(operations: readonly Operation[]): Schemas {
  const own = operations
    .filter(hasParams)
    .map((operation) => [nameOf(operation, 'Params'), paramsOf(operation)] as const)
  const jobs = operations.map((operation) => [nameOf(operation, 'Job'), jobOf(operation)] as const)
  const tools = operations.map((operation) => [nameOf(operation, 'Tool'), toolOf(operation)] as const)
  return {
    ...Object.fromEntries([...own, ...jobs, ...tools]),
    VideoStage: stageOf(operations, 'video'),
    ImageStage: stageOf(operations, 'image'),
    JobOperation: {
      description: 'An operation, named by `service_slug` and `operation_key`, with its parameters',
      oneOf: jobs.map(([name]) => reference(name)),
    },
    QuotedOperation: {
      description:
        'An operation, named by `service_slug` and `operation_key`, of which the parameters may be incomplete',
      oneOf: tools.map(([name]) => reference(name)),
    },
    StudioOperation: {
      description:
        'An operation with its parameters, named by `service_slug` and `operation_key`, or by its id in the tools listing',
      oneOf: [...tools.map(([name]) => reference(name)), reference('ToolById')],
    },
    ToolById: {
      type: 'object',
      properties: {
        operation_id: {
          type: 'integer',
          minimum: 1,
          description: 'Id of the operation in the tools listing',
        },
        params: anyParams(own.map(([name]) => reference(name))),
      },
      required: ['operation_id'],
      ...OPEN,
    },
  }
}

function paramsOf({ parameters, title }: Operation): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' })
  return { description: `Parameters of "${title}"`, ...schema }
}

/** Describes the parameters of an operation that clients do not know, which can be the parameters of any operation. */
function anyParams(all: readonly JsonSchema[]): JsonSchema {
  const operations = {
    ...PIPELINE,
    items: { anyOf: [reference('VideoStage'), reference('ImageStage')] },
  }
  const envelope = { type: 'object', properties: { ...FILE_PARAMS, operations } }
  return { description: 'Parameters of the operation', ...closed([{ anyOf: [...all] }, envelope]) }
}

function hasParams({ parameters }: Operation): boolean {
  return Object.keys(parameters.shape).length > 0
}

/**
 * Returns the schemas of the parameters. Skips operations without parameters, because generated clients accept any
 * field for a schema without properties.
 */
function ownParams(operation: Operation): JsonSchema[] {
  return hasParams(operation) ? [reference(nameOf(operation, 'Params'))] : []
}

function jobOf(operation: Operation): JsonSchema {
  const takes_link = operation.accepts.includes('link')
  const envelope = takes_link
    ? []
    : [{ type: 'object', properties: { ...FILE_PARAMS, ...pipelineOf(operation) }, required: ['file_url'] }]
  const { params } = exampleBody(operation)
  return select(operation, closed([...ownParams(operation), ...envelope]), {
    example: params,
    required: ['params'],
  })
}

/** In a studio selection, the file is named next to the parameters, not among them. */
function toolOf(operation: Operation): JsonSchema {
  const envelope = { type: 'object', properties: { ...FILE_PARAMS, ...pipelineOf(operation) } }
  const parts = operation.accepts.includes('link') ? [] : [envelope]
  return select(operation, closed([...ownParams(operation), ...parts]), {
    example: exampleParams(operation),
    required: [],
  })
}

function select(
  operation: Operation,
  params: JsonSchema,
  { example, required }: { example: object; required: readonly string[] },
): JsonSchema {
  const { title, description } = operation
  return {
    title,
    description,
    type: 'object',
    properties: {
      ...addressFields(operation),
      params: { description: `Parameters of "${operation.title}"`, example, ...params },
    },
    required: ['service_slug', 'operation_key', ...required],
    ...OPEN,
  }
}

/** Describes the two fields that name an operation. */
export function addressFields({ service, key }: Operation): Record<string, JsonSchema> {
  return {
    service_slug: { type: 'string', const: service, description: 'Service of the operation' },
    operation_key: { type: 'string', const: key, description: 'Key of the operation within its service' },
  }
}

function pipelineOf({ service }: Operation): Record<string, JsonSchema> {
  return {
    operations: { ...PIPELINE, items: reference(service === 'video' ? 'VideoStage' : 'ImageStage') },
  }
}

function stageOf(operations: readonly Operation[], service: Operation['service']): JsonSchema {
  const stages = operations.filter((one) => one.service === service && !one.accepts.includes('link'))
  return {
    description: `An operation of a ${service} pipeline with its parameters`,
    oneOf: stages.map((operation) => ({
      type: 'object',
      properties: {
        operation_key: addressFields(operation).operation_key,
        params: {
          description: `Parameters of "${operation.title}"`,
          ...closed([...ownParams(operation)]),
        },
      },
      required: ['operation_key'],
      additionalProperties: false,
    })),
  }
}

/** Returns a schema for an object that has exactly the properties of its parts. */
function closed(parts: readonly JsonSchema[]): JsonSchema {
  if (parts.length === 0) return { type: 'object', additionalProperties: false }
  return { type: 'object', allOf: parts, unevaluatedProperties: false }
}

/** Returns a schema name, such as "VideoBlurBgParams" for the parameters of video/blur_bg. */
export function nameOf({ service, key }: Operation, suffix: string): string {
  const words = [service, ...key.split('_')].map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}${suffix}`
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
