import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Job, Paging } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
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
        z.object({
          url: address,
          filename: z.string().trim().min(1).max(255).optional().describe('What its result is named after'),
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
    estimated_cost: count.describe('The base charges of all files, taken at submit'),
    final_cost: count.nullable().describe('What all files came to, once the batch is over'),
    error: z
      .string()
      .nullable()
      .describe('Once the batch is over: the file that stopped it, or the first that failed, and why'),
    jobs: z.array(Job).describe('One for each file, in the order they were sent'),
    repeat_of: z.string().nullable(),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .openapi('Batch')

export const BatchPath = z.object({ batch_id: z.string().min(1).max(64) })

export const BatchesQuery = Paging.extend({
  limit: wholeNumber({
    min: 1,
    max: 200,
    description: `By default all batches, up to ${LISTED_FILES_MAX} files in one response`,
  }).optional(),
})
