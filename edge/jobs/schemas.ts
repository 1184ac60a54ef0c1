import { z } from '@hono/zod-openapi'
import { READABLE_FORMATS } from '../../shared/ffmpeg/inputs.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { FIELD_FAULTS, schemaFault } from '../platform/errors/rules/field-faults.ts'
import { ERRORS } from '../platform/errors/rules/table.ts'
import { findUnstorable } from '../platform/http/rules/storable.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { UploadForm } from '../uploads/schemas.ts'
import { JOB_STATES } from './rules/states.ts'

const ResultFile = z.object({
  url: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
})

export const Result = ResultFile.extend({
  sha256: z.string(),
  expires_at: Timestamp,
  body: z
    .looseObject({})
    .describe(
      'What the operation measured: encode_mode, width, height, duration_seconds, format …; and where they apply, ' +
        'missing_seconds (the input was truncated), frames_dropped, alpha_dropped (transparency was lost), ' +
        'input_kept (no smaller result was possible), larger_than_input (nor could the input be kept) and user_data_removed (messages in the video stream)',
    ),
  body_omitted: z
    .literal(true)
    .optional()
    .describe(
      'In a batch whose results are too long together: the body is left out here; read the job itself',
    ),
  files: z.array(ResultFile).optional().describe('Where there are several; `url` is the first'),
}).openapi('Result')

export const Job = z
  .object({
    id: z.string(),
    service_slug: z.string(),
    operation_key: z.string(),
    status: z.enum(JOB_STATES),
    progress: z.int().min(0).max(100),
    source: z.enum(['web', 'api', 'bridge']),
    params: z.looseObject({}),
    estimated_cost: z.int().describe('The base charge taken at submit'),
    final_cost: z
      .int()
      .nullable()
      .describe(
        'The real total once the job has finished: the base, and of the rest what the balance holds by then',
      ),
    processing_seconds: z
      .number()
      .nullable()
      .describe(
        'Time of the worker, from pickup to the last step; of a canceled job as far as it was reported. ' +
          'null where it did not start, or where it failed by no fault of its own',
      ),
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    // A union, for `nullable` would make the component itself nullable in the document.
    result: z.union([Result, z.null()]),
    result_purged_at: Timestamp.nullable().describe('When the files of the result were removed'),
    batch_id: z.string().nullable(),
    repeat_of: z.string().nullable(),
    webhook_url: z.string().nullable(),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .openapi('Job')

/** Whether it leads to a public host is for the service to say. */
export const webhookUrl = z
  .url({ protocol: /^https?$/, error: FIELD_FAULTS.unsafe_webhook_url })
  .max(2048)
  .nullish()
  .describe('A public address that is told when the job is over, by a signed POST')

const Params = z
  .record(z.string().max(64), z.unknown(), {
    error: ({ code }) => (code === 'invalid_type' ? ERRORS.params_not_object.detail : undefined),
  })
  .default({})

export const JobSubmit = z
  .object({
    service_slug: z.string().min(1).max(64).openapi({ example: 'video' }),
    operation_key: z.string().min(1).max(64).openapi({ example: 'compress' }),
    params: Params.describe(
      `file_url (from an upload, or a public address) and the parameters of the operation. Video operations read ${READABLE_FORMATS}`,
    ).openapi({ example: { file_url: 'https://example.org/clip.mp4', level: 'medium' } }),
    webhook_url: webhookUrl,
  })
  .openapi('JobSubmit')

/** The fields of the form beside its file; `params` is JSON in a text field. */
export const JobFormFields = JobSubmit.extend({
  params: z
    .string()
    .default('')
    .transform(parseParams)
    .refine((params) => findUnstorable(params) === null, schemaFault('unstorable_params'))
    .pipe(Params),
})

/** Maps text that is not JSON to null, which is refused like every other value that is not an object. */
function parseParams(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const JobForm = UploadForm.extend({
  ...JobSubmit.shape,
  params: z
    .string()
    .optional()
    .describe('A JSON object. The service sets its file_url to the file of this form'),
})

export const QuoteRequest = JobSubmit.extend({
  duration_seconds: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe(
      'Length of the input, if known: whether the job would be refused for it. What it costs goes by the time ' +
        'the work takes, which no length tells',
    ),
}).openapi('QuoteRequest')

export const Quote = z
  .object({
    base_credits: z.int().describe('Charged at submit'),
    max_credits: z.int().describe('The most that the job can come to'),
    balance: z.int(),
    affordable: z.boolean(),
    max_duration_seconds: z
      .int()
      .nullable()
      .describe(
        "The longest video that the account's tier takes; of links the server may have a lower limit of its own. " +
          'null for operations on pictures, and on links of which nothing is fetched but what the site tells',
      ),
    too_long: z
      .boolean()
      .describe('duration_seconds is more than that: the job would end failed, and be given back in full'),
  })
  .openapi('Quote')

export const Purged = z.object({ purged: z.boolean() }).openapi('Purged')

export const JobPath = z.object({ job_id: z.string().min(1).max(64) })

export const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')

export const Paging = z.object({
  limit: wholeNumberOr(50, { min: 1, max: 200 }),
  offset,
})

export const JobsQuery = Paging.extend({
  mine: flag.default(false).describe('Administrators see the jobs of all accounts unless this is true'),
})
