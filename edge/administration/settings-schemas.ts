import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { numericId, wholeNumberOr } from '../platform/http/schemas/whole-number.ts'

const Preset = z.strictObject({
  label: z.string().trim().min(1).max(100),
  params: z.record(z.string(), z.unknown()),
})

export const OperationChange = z
  .strictObject({
    enabled: z.boolean(),
    credits_per_call: z.int().min(0).max(10_000).describe('Credits per call, as shown in the catalog'),
    presets: z.array(Preset).max(50).describe('Each preset must be valid for the operation'),
  })
  .partial()
  .openapi('OperationChange')

export const AdministeredOperation = z
  .object({
    operation_id: z.int(),
    service_slug: z.string(),
    operation_key: z.string(),
    title: z.string(),
    enabled: z.boolean(),
    credits_per_call: z.int(),
    presets: z.array(z.object({ label: z.string(), params: z.looseObject({}) })),
  })
  .openapi('AdministeredOperation')

export const OperationPath = z.object({
  operation_id: numericId,
})

export const SettingsChange = z
  .record(z.string().max(100), z.unknown())
  .describe('Values by name; null restores the default')
  .openapi('SettingsChange')

export const AdministeredSetting = z
  .object({
    name: z.string(),
    value: z.unknown().describe('The value in effect'),
    default: z.unknown(),
    changed: z.boolean(),
    type: z.enum(['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object']),
    min: z.number().nullable().describe('Minimum of a number, or minimum length of a text'),
    max: z.number().nullable(),
    options: z.array(z.union([z.string(), z.number()])).nullable(),
    description: z.string().nullable(),
  })
  .openapi('AdministeredSetting')

export const AuditQuery = z.object({
  target: z.string().min(1).max(200).optional().describe('For example plan:3 or setting:refund_policy_days'),
  administrator_id: numericId.optional(),
  limit: wholeNumberOr(50, { min: 1, max: 200 }),
  offset,
})

export const AuditRow = z
  .object({
    id: z.int(),
    administrator_id: z.int(),
    action: z.string(),
    target: z.string(),
    before: z.unknown().describe('null if there was no value'),
    after: z.unknown(),
    created_at: Timestamp,
  })
  .openapi('AuditRow')
