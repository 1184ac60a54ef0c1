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
    credits_per_call: z.int().min(0).max(10_000).describe('The figure of the catalogue'),
    presets: z.array(Preset).max(50).describe("Each must pass by the operation's own parameters"),
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
  .describe('Values by name; null puts a setting back to its default')
  .openapi('SettingsChange')

export const AdministeredSetting = z
  .object({
    name: z.string(),
    value: z.unknown().describe('The one in force'),
    default: z.unknown(),
    changed: z.boolean(),
    type: z.enum(['string', 'integer', 'number', 'boolean', 'enum', 'array', 'object']),
    min: z.number().nullable().describe('Of a number, or of a text in characters'),
    max: z.number().nullable(),
    options: z.array(z.union([z.string(), z.number()])).nullable(),
    description: z.string().nullable(),
  })
  .openapi('AdministeredSetting')

export const AuditQuery = z.object({
  target: z.string().min(1).max(200).optional().describe('As in plan:3 or setting:refund_policy_days'),
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
    before: z.unknown().describe('null where there was nothing'),
    after: z.unknown(),
    created_at: Timestamp,
  })
  .openapi('AuditRow')
