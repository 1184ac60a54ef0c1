import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { shownLabels, Tag } from '../jobs/label-schemas.ts'
import { Job, operationFilters, Paging } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { createdBetween, cursor } from '../platform/http/schemas/page.ts'
import { wholeNumber } from '../platform/http/schemas/whole-number.ts'
import { refineAddressing, StudioRequest } from '../studio/schemas.ts'
import { BATCH_STATES, LISTED_FILES_MAX } from './rules/states.ts'

export const BATCH_FILES_MAX = 200

const address = z.string().min(1).max(4096)

export const BatchRunRequest = refineAddressing(
  StudioRequest.extend({
    file_urls: z.array(address).min(1).max(BATCH_FILES_MAX).optional(),
    files: z
      .array(
        z.strictObject({
          url: address,
          filename: z.string().trim().min(1).max(255).optional().describe('Base name of the result file'),
        }),
      )
      .min(1)
      .max(BATCH_FILES_MAX)
      .optional(),
  }),
)
  .refine(({ file_urls, files }) => (file_urls === undefined) !== (files === undefined), {
    path: ['file_urls'],
    ...schemaFault('file_urls_or_files'),
  })
  .openapi('BatchRunRequest')

const count = z.int().min(0)

export const Batch = z
  .object({
    id: z.string(),
    service_slug: z.string(),
    operation_key: z.string(),
    params: z.looseObject({}),
    status: z.enum(BATCH_STATES),
    total: count,
    done: count,
    failed: count,
    canceled: count,
    estimated_cost: count.describe('Sum of the base charges of all files at submission'),
    final_cost: count.nullable().describe('Total credits of all files; null until the batch is finished'),
    error: z
      .string()
      .nullable()
      .describe(
        'The file that stopped the batch, or the first that failed, with the reason; null until the batch is finished',
      ),
    jobs: z.array(Job).describe('One job per file, in the order of submission'),
    repeat_of: z.string().nullable(),
    ...shownLabels,
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .openapi('Batch')

export const BatchPath = z.object({ batch_id: z.string().min(1).max(64) })

export const BatchesQuery = Paging.extend({
  limit: wholeNumber({
    min: 1,
    max: 200,
    description: `Defaults to all batches, up to ${LISTED_FILES_MAX} files in one response`,
  }).optional(),
  cursor,
  ...operationFilters,
  tag: Tag.optional(),
  ...createdBetween,
})
