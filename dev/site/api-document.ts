import { z } from 'zod'
import { createApp } from '../../edge/app.ts'
import { writeDocument } from '../../edge/documentation/document.ts'
import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'

/** The parts of a JSON schema that the endpoint pages show. */
export interface Schema {
  $ref?: string | undefined
  type?: string | string[] | undefined
  const?: unknown
  default?: unknown
  enum?: unknown[] | undefined
  description?: string | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  allOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  format?: string | undefined
}

export const SchemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), SchemaShape).optional(),
    required: z.array(z.string()).optional(),
    items: SchemaShape.optional(),
    allOf: z.array(SchemaShape).optional(),
    anyOf: z.array(SchemaShape).optional(),
    oneOf: z.array(SchemaShape).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    format: z.string().optional(),
  }),
)

const Content = z
  .record(
    z.string(),
    z.object({ schema: SchemaShape.optional(), examples: z.record(z.string(), z.unknown()).optional() }),
  )
  .optional()

const Response = z.object({ description: z.string(), content: Content })

const Endpoint = z.object({
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        description: z.string().optional(),
        schema: SchemaShape,
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Response),
})
export type Endpoint = z.infer<typeof Endpoint> & { method: string; path: string }

const ApiDocument = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Endpoint)),
  components: z.object({ schemas: z.record(z.string(), SchemaShape) }),
})
export type ApiDocument = z.infer<typeof ApiDocument>

/** Returns the OpenAPI document of the edge, as `/openapi.json` serves it. */
export function readApiDocument(): ApiDocument {
  const document = JSON.parse(writeDocument(createApp(), DOCUMENTED_URL))
  // Responses that many endpoints share are in the components.
  const text = JSON.stringify(document.paths).replace(
    /\{"\$ref":"#\/components\/responses\/(\w+)"\}/g,
    (_, name) => JSON.stringify(document.components.responses[name]),
  )
  return ApiDocument.parse({ ...document, paths: JSON.parse(text) })
}

/** Lists the endpoints of a tag in the order of the document. */
export function listEndpoints({ paths }: ApiDocument, tag: string): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, endpoint]) =>
      endpoint.tags[0] === tag ? [{ ...endpoint, method: method.toUpperCase(), path }] : [],
    ),
  )
}
