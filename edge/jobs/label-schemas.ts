import { z } from '@hono/zod-openapi'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'

export const Tag = plainText(64)

const MetadataValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: schemaFault('invalid_metadata_value').message,
})

const METADATA_BYTES_MAX = 2048

function isSmall(metadata: object): boolean {
  return new TextEncoder().encode(JSON.stringify(metadata)).length <= METADATA_BYTES_MAX
}

export const Metadata = z
  .record(z.string().regex(/^\P{Cc}{1,64}$/u), MetadataValue)
  .refine(isSmall, schemaFault('metadata_too_large'))

/** Fields of every request that submits jobs. */
export const givenLabels = {
  tag: Tag.nullish()
    .describe('Text of your own, with which the lists of jobs and batches can be filtered')
    .openapi({ example: 'newsletter' }),
  metadata: Metadata.default({})
    .describe('Data of your own, up to 2048 bytes as JSON; the service only stores and returns it')
    .openapi({ example: { customer: 'c-1042' } }),
}

/** Template of a job or batch. */
export const shownTemplate = z
  .object({
    name: z.string().openapi({ description: 'Name of the template', example: 'web-teaser' }),
    version: z.int().openapi({ description: 'Version of the template; 1 is the first', example: 2 }),
  })
  .nullable()
  .openapi({
    description: 'Version of the saved template that it was submitted by; null without one',
    example: null,
  })

/** Label fields of records. */
export const shownLabels = {
  tag: z
    .string()
    .nullable()
    .openapi({ description: 'As submitted; null if there was none', example: 'newsletter' }),
  metadata: z
    .record(z.string(), MetadataValue)
    .openapi({ description: 'As submitted; empty if there was none', example: { customer: 'c-1042' } }),
}
