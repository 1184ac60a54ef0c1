import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { importHeaders } from '../jobs/header-schemas.ts'
import { shownLabels, shownTemplate, Tag } from '../jobs/label-schemas.ts'
import { Job, operationFilters, Paging, stateFilter, webhookUrl } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { idOf, jobsThat, operationKey, serviceSlug } from '../platform/http/schemas/common-fields.ts'
import { createdBetween } from '../platform/http/schemas/page.ts'
import { wholeNumber } from '../platform/http/schemas/whole-number.ts'
import { refineAddressing, StudioRequest } from '../studio/schemas.ts'
import { BATCH_STATES, LISTED_FILES_MAX } from './rules/states.ts'

export const BATCH_FILES_MAX = 200

const address = z.string().min(1).max(4096).openapi({
  description: 'URL of the file: an upload, or a public URL',
  example: 'https://example.org/clip.mp4',
})

/** Fields of a request for many files. */
export const batchFiles = {
  file_urls: z
    .array(address)
    .min(1)
    .max(BATCH_FILES_MAX)
    .optional()
    .openapi({
      description: 'The files; alternative to `files`',
      example: ['https://example.org/clip.mp4', 'https://example.org/talk.mp4'],
    }),
  files: z
    .array(
      z.strictObject({
        url: address,
        filename: z
          .string()
          .trim()
          .min(1)
          .max(255)
          .optional()
          .openapi({ description: 'Base name of the result file', example: 'holiday' }),
        headers: importHeaders,
      }),
    )
    .min(1)
    .max(BATCH_FILES_MAX)
    .optional()
    .describe('The files with their names; alternative to `file_urls`'),
}

interface Files {
  file_urls?: unknown
  files?: unknown
}

/** Requires exactly one of the two fields for files. */
export function refineFiles<S extends z.ZodType<Files>>(schema: S) {
  return schema.refine(({ file_urls, files }) => (file_urls === undefined) !== (files === undefined), {
    path: ['file_urls'],
    ...schemaFault('file_urls_or_files'),
  })
}

const batchWebhook = webhookUrl.describe(
  'Public URL that receives a signed POST when each file is finished, and one when the batch is',
)

export const BatchRunRequest = refineFiles(
  refineAddressing(StudioRequest.extend({ webhook_url: batchWebhook, ...batchFiles })),
).openapi('BatchRunRequest', {
  example: {
    ...{ service_slug: 'image', operation_key: 'resize', params: { width: 1280 } },
    file_urls: ['https://example.org/beach.jpg', 'https://example.org/harbor.jpg'],
  },
})

const count = z.int().min(0)

export const Batch = z
  .object({
    id: idOf('batch'),
    service_slug: serviceSlug,
    operation_key: operationKey,
    params: z
      .looseObject({})
      .openapi({ description: 'Parameters as submitted, for all files', example: { level: 'medium' } }),
    status: z.enum(BATCH_STATES).openapi({ description: 'State of the batch', example: 'done' }),
    total: count.openapi({ description: 'Number of files', example: 2 }),
    done: jobsThat('that are done', 2),
    failed: jobsThat('that failed', 0),
    canceled: jobsThat('that were canceled', 0),
    estimated_cost: count.openapi({
      description: 'Sum of the base charges of all files at submission',
      example: 4,
    }),
    final_cost: count.nullable().openapi({
      description: 'Total credits of all files; null until the batch is finished',
      example: 5,
    }),
    error: z
      .string()
      .nullable()
      .openapi({ example: null })
      .describe(
        'The file that stopped the batch, or the first that failed, with the reason; null until the batch is finished',
      ),
    jobs: z.array(Job).describe('One job per file, in the order of submission'),
    repeat_of: idOf('batch').nullable().openapi({
      description: 'Batch that this one repeats; null for other batches',
      example: null,
    }),
    webhook_url: z.string().nullable().openapi({
      description: 'URL that receives the webhooks of the jobs and of the batch; null if there is none',
      example: 'https://example.org/hooks/media',
    }),
    ...shownLabels,
    template: shownTemplate,
    created_at: Timestamp.describe('Time of the submission'),
    finished_at: Timestamp.nullable().describe('Time at which the last job ended; null before'),
  })
  .openapi('Batch')

export const BatchPath = z.object({ batch_id: z.string().min(1).max(64).describe('Id of the batch') })

export const BatchesQuery = Paging.extend({
  limit: wholeNumber({
    min: 1,
    max: 200,
    description: `Largest number of batches in the response. Default: all batches, up to ${LISTED_FILES_MAX} files in one response`,
  }).optional(),
  status: stateFilter(BATCH_STATES),
  ...operationFilters,
  tag: Tag.optional().describe('Only batches with this tag'),
  ...createdBetween,
})
