import { z } from '@hono/zod-openapi'
import { importHeaders } from '../jobs/header-schemas.ts'
import { givenLabels } from '../jobs/label-schemas.ts'
import { Job, JobSubmit, output, webhookUrl } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'

/** Common fields of runs and batches: the operation, its parameters, the export, and the labels. */
const StudioRequest = z.strictObject({
  operation_id: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .openapi({ description: 'Id of the operation in the tools listing', example: 5 }),
  service_slug: JobSubmit.shape.service_slug.optional(),
  operation_key: JobSubmit.shape.operation_key.optional(),
  params: JobSubmit.shape.params.openapi({ example: { level: 'medium' } }),
  preset: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .openapi({ description: 'Index into the presets of the tool; `params` override its values', example: 1 }),
  output,
  ...givenLabels,
})
type Named = Pick<z.output<typeof StudioRequest>, 'operation_id' | 'service_slug' | 'operation_key'>

/** Requires exactly one way to name the operation: by id, or by service and key. */
export function refineAddressing<S extends z.ZodType<Named>>(schema: S) {
  return schema.superRefine(({ operation_id, service_slug, operation_key }, context) => {
    const byId = operation_id !== undefined
    const byName = service_slug !== undefined && operation_key !== undefined
    const isStray = byId && (service_slug !== undefined || operation_key !== undefined)
    if (byId !== byName && !isStray) return
    const field = byId || service_slug !== undefined ? 'operation_key' : 'service_slug'
    context.addIssue({
      code: 'custom',
      path: [byName || byId ? 'operation_id' : field],
      ...schemaFault('ambiguous_operation'),
    })
  })
}

const address = z.string().min(1).max(4096)

export const StudioRunRequest = refineAddressing(
  StudioRequest.extend({
    file_url: address.optional().openapi({
      description: 'From an upload, or a public URL; copied into `params`',
      example: 'https://example.org/clip.mp4',
    }),
    url: address.optional().openapi({
      description: 'Public video link for link operations; copied into `params`',
      example: 'https://example.org/watch?v=1',
    }),
    webhook_url: webhookUrl,
    headers: importHeaders,
  }),
)
  .refine(({ file_url, url }) => file_url === undefined || url === undefined, {
    path: ['url'],
    ...schemaFault('file_url_and_url'),
  })
  .openapi('StudioRunRequest')

export const StudioRunOut = z.object({ job: Job }).openapi('StudioRunOut')

export { StudioRequest }
