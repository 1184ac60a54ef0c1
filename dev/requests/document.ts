import { z } from 'zod'

/** The subset of JSON Schema that the document uses. */
export interface Schema {
  type?: string | string[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  additionalProperties?: Schema | boolean | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  allOf?: Schema[] | undefined
  enum?: unknown[] | undefined
  const?: unknown
  format?: string | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  exclusiveMinimum?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  example?: unknown
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    allOf: z.array(Schema).optional(),
    enum: z.array(z.unknown()).optional(),
  }),
)

const Content = z.record(z.string(), z.object({ schema: Schema })).default({})

const Operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        schema: Schema,
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
})

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

export type Access = 'none' | 'session' | 'admin' | 'either' | 'anyone'
export type Parameter = z.infer<typeof Operation>['parameters'][number]

/** An endpoint as documented, with references resolved. */
export interface DocumentedOperation {
  /** For example, `POST /api/v1/jobs/{job_id}/cancel`. */
  name: string
  method: string
  path: string
  access: Access
  parameters: Parameter[]
  body: { content_type: string; schema: Schema } | null
  /** The schema of each content type, by status; empty if the response has no body. */
  responses: Record<string, Record<string, Schema>>
}

export async function fetchOperations(api_url: string): Promise<DocumentedOperation[]> {
  const response = await fetch(new URL('/openapi.json', api_url))
  const document: unknown = await response.json()
  const { paths } = Document.parse({
    paths: resolve((document as { paths: unknown }).paths, document, new Map()),
  })
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  )
}

function describe(method: string, path: string, operation: z.infer<typeof Operation>): DocumentedOperation {
  const { security, parameters, requestBody, responses } = operation
  const [body] = Object.entries(requestBody?.content ?? {})
  return {
    name: `${method} ${path}`,
    method,
    path,
    access: accessOf(security),
    parameters,
    body: body === undefined ? null : { content_type: body[0], schema: body[1].schema },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { content }]) => [
        status,
        Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema])),
      ]),
    ),
  }
}

function accessOf(security: Record<string, string[]>[]): Access {
  if (security.length === 0) return 'none'
  if (security.some((choice) => Object.keys(choice).length === 0)) return 'anyone'
  if (security.some((choice) => 'key' in choice)) return 'either'
  return security.some((choice) => 'administrator' in choice) ? 'admin' : 'session'
}

/**
 * Replaces each `$ref` with its target. A `$ref` within its own target becomes a schema that accepts everything.
 * @param known references that are already resolved
 */
function resolve(node: unknown, document: unknown, known: Map<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, document, known))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string') {
    const earlier = known.get(node.$ref)
    if (earlier !== undefined) return earlier
    known.set(node.$ref, {})
    const resolved = resolve(find(document, node.$ref), document, known)
    known.set(node.$ref, resolved)
    return resolved
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, resolve(value, document, known)]),
  )
}

function find(document: unknown, reference: string): unknown {
  const names = reference.replace('#/', '').split('/')
  return names.reduce((node, name) => (node as Record<string, unknown>)[name], document)
}
