import { z } from '@hono/zod-openapi'
import { TOOL_GROUPS, type ToolGroupKey } from '../../shared/forms/tool-groups.ts'
import {
  numberOf,
  operationKey,
  operationTitle,
  serviceSlug,
} from '../platform/http/schemas/common-fields.ts'
import { ToolField } from './field-schema.ts'

const label = z.string().openapi({ description: 'Label to show', example: 'Strong: for messengers' })

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
        summary: z.string().openapi({
          description: 'What users get, in a few words',
          example: 'A smaller MP4, at the quality that you choose',
        }),
        group: z
          .object({
            key: z
              .enum(Object.keys(TOOL_GROUPS) as [ToolGroupKey, ...ToolGroupKey[]])
              .openapi({ description: 'Key of the group', example: 'compress' }),
            title: z.string().openapi({ description: 'Title of the group', example: 'Compress' }),
            description: z.string().openapi({
              description: 'What the operations of the group do',
              example: 'Smaller files that look the same.',
            }),
          })
          .describe('Group in which the studio shows the operation'),
        chain: z
          .object({
            can_follow: z.boolean().openapi({
              description: 'True if it accepts the output of another operation',
              example: true,
            }),
            can_precede: z.boolean().openapi({
              description: 'True if another operation accepts its output',
              example: true,
            }),
          })
          .describe('Places of the operation in a pipeline; parameters can restrict them further'),
        fields: z.array(ToolField).describe('Parameters in the order in which forms show them'),
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
