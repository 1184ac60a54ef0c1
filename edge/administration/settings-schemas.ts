import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import {
  numberOf,
  operationKey,
  operationTitle,
  serviceSlug,
} from '../platform/http/schemas/common-fields.ts'
import { limitOf, offset } from '../platform/http/schemas/page.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const Preset = z.strictObject({
  label: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .openapi({ description: 'Label to show', example: 'Strong: for messengers' }),
  params: z
    .record(z.string(), z.unknown())
    .openapi({ description: 'Parameters of the operation', example: { level: 'strong' } }),
})

export const OperationChange = z
  .strictObject({
    enabled: z.boolean().openapi({ description: 'True if the operation accepts jobs', example: true }),
    credits_per_call: z
      .int()
      .min(0)
      .max(10_000)
      .openapi({ description: 'Credits per call, as shown in the catalog', example: 3 }),
    presets: z.array(Preset).max(50).describe('Each preset must be valid for the operation'),
  })
  .partial()
  .openapi('OperationChange')

export const AdministeredOperation = z
  .object({
    operation_id: numberOf('operation'),
    service_slug: serviceSlug,
    operation_key: operationKey,
    title: operationTitle,
    enabled: z.boolean().openapi({ description: 'True if the operation accepts jobs', example: true }),
    credits_per_call: z
      .int()
      .openapi({ description: 'Credits per call, as shown in the catalog', example: 3 }),
    presets: z
      .array(
        z.object({
          label: z.string().openapi({ description: 'Label to show', example: 'Strong: for messengers' }),
          params: z
            .looseObject({})
            .openapi({ description: 'Parameters of the operation', example: { level: 'strong' } }),
        }),
      )
      .describe('Presets of the operation'),
  })
  .openapi('AdministeredOperation')

export const OperationPath = z.object({
  operation_id: numericId.describe('Id of the operation in the tools listing'),
})

export const SettingsChange = z
  .record(z.string().max(100), z.unknown())
  .openapi({
    description: 'Values by name; null restores the default',
    example: { daily_free_credits: 20 },
  })
  .openapi('SettingsChange')

export const AdministeredSetting = z
  .object({
    name: z.string().openapi({ description: 'Name of the setting', example: 'refund_policy_days' }),
    value: z.unknown().openapi({ description: 'The value in effect', example: 30 }),
    default: z.unknown().openapi({ description: 'The value without a change', example: 30 }),
    changed: z.boolean().openapi({ description: 'True if an administrator set the value', example: false }),
    type: z
      .enum(['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object'])
      .openapi({ description: 'Type of the value', example: 'integer' }),
    min: z
      .number()
      .nullable()
      .openapi({ description: 'Minimum of a number, or minimum length of a text', example: 0 }),
    max: z
      .number()
      .nullable()
      .openapi({ description: 'Maximum of a number, or maximum length of a text', example: 365 }),
    options: z
      .array(z.union([z.string(), z.number()]))
      .nullable()
      .openapi({ description: 'Values of an enum; null for other types', example: null }),
    description: z
      .string()
      .nullable()
      .openapi({ description: 'What the setting does', example: 'Days of the refund policy.' }),
  })
  .openapi('AdministeredSetting')

export const AuditQuery = z.object({
  target: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('What was changed, for example plan:3 or setting:refund_policy_days'),
  administrator_id: numericId.optional().describe('Only changes by this administrator'),
  limit: limitOf(50, 200),
  offset,
})

export const AuditRow = z
  .object({
    id: numberOf('row'),
    administrator_id: numberOf('administrator'),
    action: z.string().openapi({ description: 'What was done', example: 'setting.change' }),
    target: z.string().openapi({ description: 'What was changed', example: 'setting:refund_policy_days' }),
    before: z
      .unknown()
      .openapi({ description: 'Value before the change; null if there was none', example: 30 }),
    after: z.unknown().openapi({ description: 'Value after the change; null if there is none', example: 45 }),
    created_at: Timestamp.describe('Time of the change'),
  })
  .openapi('AuditRow')
