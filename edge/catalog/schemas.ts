import { z } from '@hono/zod-openapi'
import {
  numberOf,
  operationKey,
  operationTitle,
  serviceSlug,
} from '../platform/http/schemas/common-fields.ts'

const label = z.string().openapi({ description: 'Label to show', example: 'Strong: for messengers' })

const Field = z
  .object({
    key: z.string().openapi({ description: 'Name of the parameter in `params`', example: 'crf' }),
    type: z
      .enum(['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object'])
      .openapi({ description: 'Type of the value', example: 'integer' }),
    min: z.number().nullable().openapi({
      description: 'Minimum of a number, minimum characters of a string, or minimum entries of an array',
      example: 0,
    }),
    max: z.number().nullable().openapi({
      description: 'Maximum of a number, maximum characters of a string, or maximum entries of an array',
      example: 51,
    }),
    default: z
      .unknown()
      .openapi({ description: 'Value that is used if the parameter is absent; null if none', example: null }),
    required: z.boolean().openapi({ description: 'True if the parameter must be sent', example: false }),
    options: z
      .array(z.union([z.string(), z.number()]))
      .nullable()
      .openapi({ description: 'Values of an enum; null for other types', example: null }),
    description: z
      .string()
      .nullable()
      .openapi({ description: 'What the parameter does', example: 'Constant rate factor, overrides level' }),
  })
  // The example omits `default`, because linters would parse it as a schema.
  .openapi({
    example: {
      ...{ key: 'crf', type: 'integer', min: 0, max: 51, required: false, options: null },
      description: 'Constant rate factor, overrides level',
    },
  })

export const Tool = z
  .object({
    operation_id: numberOf('operation'),
    service_slug: serviceSlug,
    operation_key: operationKey,
    title: operationTitle,
    description: z
      .string()
      .openapi({ description: 'What the operation does', example: 'Reduces the file size.' }),
    credits_per_call: z.int().openapi({
      description: 'Cost figure of the operation. Jobs are charged by processing time',
      example: 3,
    }),
    accepts: z
      .array(z.string())
      .openapi({ description: 'Kinds of input: `video`, `image` or `link`', example: ['video'] }),
    enabled: z.boolean().openapi({ description: 'True if the operation accepts jobs', example: true }),
    config: z
      .object({
        family: z.string().nullable().openapi({
          description: 'Shared by a video and an image operation that do the same kind of work',
          example: 'compress',
        }),
        fields: z.array(Field).describe('Parameters in the order in which forms show them'),
        presets: z
          .array(
            z.object({
              label,
              params: z
                .looseObject({})
                .openapi({ description: 'Parameters of the preset', example: { level: 'strong' } }),
            }),
          )
          .describe('Ready-made settings'),
      })
      .describe('Parameters and presets'),
    presets: z
      .array(
        z.object({
          index: z.int().openapi({ description: 'Value of `preset` in a studio run', example: 2 }),
          label,
        }),
      )
      .describe('The presets without their parameters'),
  })
  .openapi('Tool')
