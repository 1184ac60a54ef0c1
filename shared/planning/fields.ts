import { z } from 'zod'
import type { Operation } from './operation.ts'

/** A parameter, as shown in `config.fields[]` of the tools listing (Contract: Catalog, Tools listing). */
export interface Field {
  key: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'array' | 'object'
  /** Bounds of a number, of a string's length in characters, or of an array's length. */
  min: number | null
  max: number | null
  default: unknown
  required: boolean
  /** Values of an enum. */
  options: (string | number)[] | null
  description: string | null
}

type Described = Pick<Operation, 'parameters'>

const Count = z.number().optional()
/** A union is shown as its first type. */
const Type = z.preprocess(
  (type) => (Array.isArray(type) ? type[0] : type),
  z.enum(['string', 'integer', 'number', 'boolean', 'array', 'object']).optional().catch(undefined),
)
const PropertySchema = z.object({
  type: Type,
  anyOf: z.array(z.object({ type: Type })).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  minimum: Count,
  exclusiveMinimum: Count,
  minLength: Count,
  minItems: Count,
  maximum: Count,
  exclusiveMaximum: Count,
  maxLength: Count,
  maxItems: Count,
  default: z.unknown().optional(),
  description: z.string().optional(),
})
type PropertySchema = z.infer<typeof PropertySchema>

const ParametersSchema = z.object({
  properties: z.record(z.string(), PropertySchema),
  required: z.array(z.string()).default([]),
})

function readSchema({ parameters }: Described, io: 'input' | 'output') {
  return ParametersSchema.parse(z.toJSONSchema(parameters, { io, unrepresentable: 'any' }))
}

/**
 * Describes the parameters of an operation in order. The description is derived from the schema, so the two cannot
 * differ.
 */
export function describeFields(operation: Described): Field[] {
  const { properties, required } = readSchema(operation, 'input')
  // Only the output schema contains the default of a transformed value (a color, a position).
  const { properties: parsed } = readSchema(operation, 'output')
  return Object.entries(properties).map(([key, property]) => ({
    key,
    type: property.enum === undefined ? (property.type ?? property.anyOf?.[0]?.type ?? 'object') : 'enum',
    min: lowerBound(property),
    max: upperBound(property),
    default: property.default ?? parsed[key]?.default ?? null,
    required: required.includes(key),
    options: property.enum ?? null,
    description: property.description ?? null,
  }))
}

/** Returns the schema of an array parameter's entries; undefined for other parameters. */
export function entryOf(parameters: z.ZodObject, key: string): z.ZodType | undefined {
  const schema = unwrap(parameters.shape[key])
  return schema instanceof z.ZodArray ? (unwrap(schema.element) as z.ZodType) : undefined
}

/** Returns a schema without its default and without being optional. */
export function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema
}

function lowerBound(property: PropertySchema): number | null {
  const bound = property.minimum ?? property.exclusiveMinimum ?? property.minLength ?? property.minItems
  return bound === undefined || bound === Number.MIN_SAFE_INTEGER ? null : bound
}

function upperBound(property: PropertySchema): number | null {
  const bound = property.maximum ?? property.exclusiveMaximum ?? property.maxLength ?? property.maxItems
  return bound === undefined || bound === Number.MAX_SAFE_INTEGER ? null : bound
}
