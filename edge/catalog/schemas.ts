import { z } from '@hono/zod-openapi'

const Field = z.object({
  key: z.string(),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object']),
  min: z
    .number()
    .nullable()
    .describe('Minimum of a number, minimum characters of a string, or minimum entries of an array'),
  max: z.number().nullable(),
  default: z.unknown(),
  required: z.boolean(),
  options: z.array(z.union([z.string(), z.number()])).nullable(),
  description: z.string().nullable(),
})

export const Tool = z
  .object({
    operation_id: z.int(),
    service_slug: z.string(),
    operation_key: z.string(),
    title: z.string(),
    description: z.string(),
    credits_per_call: z.int(),
    accepts: z.array(z.string()),
    enabled: z.boolean(),
    config: z.object({
      family: z.string().nullable(),
      fields: z.array(Field),
      presets: z.array(z.object({ label: z.string(), params: z.looseObject({}) })),
    }),
    presets: z.array(z.object({ index: z.int(), label: z.string() })),
  })
  .openapi('Tool')
