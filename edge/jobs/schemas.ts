import { z } from '@hono/zod-openapi'
import { READABLE_FORMATS } from '../../shared/ffmpeg/inputs.ts'
import { ERROR_CODES as JOB_ERROR_CODES } from '../../shared/protocol/job-report.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { PARAMS_NOT_OBJECT } from '../platform/errors/rules/operations.ts'
import { findInexactInteger } from '../platform/http/rules/inexact-integers.ts'
import { findUnstorable } from '../platform/http/rules/storable.ts'
import {
  contentType,
  filename,
  idOf,
  operationKey,
  serviceSlug,
  sizeBytes,
} from '../platform/http/schemas/common-fields.ts'
import { createdBetween, cursor, limitOf, offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { connectionName } from '../storage-connections/schemas.ts'
import { UploadForm } from '../uploads/schemas.ts'
import { importHeaders } from './header-schemas.ts'
import { givenLabels, Metadata, shownLabels, shownTemplate, Tag } from './label-schemas.ts'
import { DEFAULT_OUTPUT_KEY, isOutputKey } from './rules/output.ts'
import { JOB_STATES } from './rules/states.ts'

const ResultFile = z.object({
  url: z.string().openapi({
    description: 'URL of the file. It can be downloaded, and be the input of another job',
    example: 'https://media.example.com/files/results/9e6b/holiday-compress.mp4',
  }),
  filename: filename.openapi({ example: 'holiday-compress.mp4' }),
  content_type: contentType,
  size_bytes: sizeBytes,
  exported_to: z.string().optional().openapi({
    description: 'The copy in your own storage, which jobs accept as a file URL; absent without an export',
    example: 'storage://archive/9e6b/holiday-compress.mp4',
  }),
})

export const Result = ResultFile.extend({
  sha256: z.string().openapi({
    description: 'SHA-256 of the file, in hexadecimal',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
  expires_at: Timestamp.describe('Time at which the files are deleted'),
  body: z
    .looseObject({})
    .openapi({
      example: { encode_mode: 'encode', width: 1280, height: 720, duration_seconds: 12.4, format: 'mp4' },
    })
    .describe(
      'Measurements of the operation: encode_mode, width, height, duration_seconds, format, …. Where they ' +
        'apply: missing_seconds (the input is truncated), frames_dropped, alpha_dropped (transparency was ' +
        'lost), input_kept (no smaller result is possible), larger_than_input (the result is larger and the ' +
        'input could not be kept), user_data_removed (messages in the video stream)',
    ),
  body_omitted: z
    .literal(true)
    .optional()
    .describe(
      'True if `body` is empty because the results of the batch are too large together; read the job itself',
    ),
  files: z.array(ResultFile).optional().describe('Present if there are several files; `url` is the first'),
}).openapi('Result')

const ShownOutput = z.object({
  storage: z.string().openapi({ description: 'Name of the storage connection', example: 'archive' }),
  key: z.string().openapi({ description: 'Key as submitted', example: '{job_id}/{filename}' }),
})

export const Job = z
  .object({
    id: idOf('job'),
    service_slug: serviceSlug,
    operation_key: operationKey,
    status: z.enum(JOB_STATES).openapi({ description: 'State of the job', example: 'done' }),
    progress: z.int().min(0).max(100).openapi({ description: 'Progress in percent', example: 100 }),
    source: z.enum(['web', 'api', 'bridge']).openapi({
      description: '`web` for a session, `api` for an API key, `bridge` for an upload link',
      example: 'api',
    }),
    params: z.looseObject({}).openapi({
      description: 'Parameters as submitted',
      example: { file_url: 'https://example.org/clip.mp4', level: 'medium' },
    }),
    estimated_cost: z.int().openapi({ description: 'Base price charged at submission', example: 2 }),
    final_cost: z
      .int()
      .nullable()
      .openapi({ example: 3 })
      .describe(
        'Final price of a finished job: the base price, plus the rest as far as the balance covered it',
      ),
    processing_seconds: z
      .number()
      .nullable()
      .openapi({ example: 71.3 })
      .describe(
        'Processing time from pickup to the last step; for a failed job, of all its attempts; for a canceled ' +
          'job, as far as reported. null if the job did not start',
      ),
    error: z.string().nullable().openapi({
      description: 'Why a failed job failed, as a sentence in your language; null for all others',
      example: null,
    }),
    error_code: z
      .enum(JOB_ERROR_CODES)
      .nullable()
      .openapi({ description: 'Why a failed job failed; null for all others', example: null }),
    // A union, because `nullable` would make the component itself nullable in the OpenAPI document.
    result: z.union([Result, z.null()]).describe('The result; null until the job is done'),
    result_purged_at: Timestamp.nullable().openapi({
      description: 'Time at which the result files were deleted; null before',
      example: null,
    }),
    batch_id: idOf('batch').nullable().openapi({
      description: 'Batch to which the job belongs; null for other jobs',
      example: null,
    }),
    repeat_of: idOf('job').nullable().openapi({
      description: 'Job that this one repeats; null for other jobs',
      example: null,
    }),
    webhook_url: z.string().nullable().openapi({
      description: 'URL that receives the webhook of the job; null if there is none',
      example: 'https://example.org/hooks/media',
    }),
    output: z.union([ShownOutput, z.null()]).openapi({
      description: 'Where the result is exported to; null if it is not exported',
      example: null,
    }),
    ...shownLabels,
    template: shownTemplate,
    created_at: Timestamp.describe('Time of the submission'),
    started_at: Timestamp.nullable().describe('Time at which processing started; null before'),
    finished_at: Timestamp.nullable().describe('Time at which the job ended; null before'),
  })
  .openapi('Job')

/** The use case also checks that the URL resolves to a public host. */
export const webhookAddress = z
  .url({ protocol: /^https?$/, error: schemaFault('unsafe_webhook_url').message })
  .max(2048)
  .openapi({ description: 'URL that receives webhooks', example: 'https://example.org/hooks/media' })

export const webhookUrl = webhookAddress.nullish().openapi({
  description: 'Public URL that receives a signed POST when the job is finished',
  example: 'https://example.org/hooks/media',
})

/** The use case also checks that the storage connection exists. */
export const output = z
  .strictObject({
    storage: connectionName.describe('Name of a storage connection'),
    key: z
      .string()
      .refine((key) => isOutputKey(key), schemaFault('invalid_output_key'))
      .default(DEFAULT_OUTPUT_KEY)
      .openapi({
        maxLength: 1024,
        description: 'Key of the object. `{job_id}`, `{filename}` and `{operation_key}` are replaced',
        example: 'done/{operation_key}/{filename}',
      }),
  })
  .nullish()
  .openapi({
    description: 'Writes the result also to your own storage; if that fails, the job fails and is refunded',
    example: { storage: 'archive' },
  })

const Params = z
  .record(z.string().max(64), z.unknown(), {
    error: ({ code }) => (code === 'invalid_type' ? PARAMS_NOT_OBJECT : undefined),
  })
  .default({})

export const JobSubmit = z
  .strictObject({
    service_slug: z
      .string()
      .min(1)
      .max(64)
      .openapi({ description: 'Service of the operation: `video` or `image`', example: 'video' }),
    operation_key: z
      .string()
      .min(1)
      .max(64)
      .openapi({ description: 'Key of the operation within its service', example: 'compress' }),
    params: Params.describe(
      `\`file_url\` (from an upload, or a public URL) and the parameters of the operation. Video operations read ${READABLE_FORMATS}`,
    ).openapi({ example: { file_url: 'https://example.org/clip.mp4', level: 'medium' } }),
    webhook_url: webhookUrl,
    output,
    headers: importHeaders,
    ...givenLabels,
  })
  .openapi('JobSubmit')

/** A form contains the file, so nothing is imported. */
const { headers: _headers, ...formFields } = JobSubmit.shape

/** A form field that contains a JSON object as text. */
const jsonText = z.string().default('').transform(parseObject)
const isStorable = (value: unknown) => findUnstorable(value) === null

/** Form fields that accompany the file; `params`, `metadata` and `output` are JSON in text fields. */
export const JobFormFields = z.strictObject({
  ...formFields,
  params: jsonText.refine(isStorable, schemaFault('unstorable_params')).pipe(Params),
  metadata: jsonText.refine(isStorable, schemaFault('unstorable_metadata')).pipe(Metadata),
  output: z
    .string()
    .default('')
    .transform((text, context) => (text.trim() === '' ? undefined : parseObject(text, context)))
    .pipe(output),
})

/** Parses the JSON of a form field. */
function parseObject(text: string, context: z.RefinementCtx): unknown {
  if (text.trim() === '') return {}
  try {
    const parsed = JSON.parse(text)
    const path = findInexactInteger(text)
    if (path !== null) context.addIssue({ code: 'custom', path, ...schemaFault('inexact_integer') })
    return parsed
  } catch {
    context.addIssue({ code: 'custom', ...schemaFault('json_text_invalid') })
    return z.NEVER
  }
}

export const JobForm = UploadForm.extend({
  ...formFields,
  params: z.string().optional().openapi({
    format: 'json',
    description: 'A JSON object. The service sets its `file_url` to the uploaded file',
    example: '{"level":"medium"}',
  }),
  metadata: z.string().optional().openapi({
    format: 'json',
    description: 'A JSON object, as in JobSubmit',
    example: '{"customer":"c-1042"}',
  }),
  output: z.string().optional().openapi({
    format: 'json',
    description: 'A JSON object, as in JobSubmit',
    example: '{"storage":"archive"}',
  }),
})

export const QuoteRequest = JobSubmit.extend({
  duration_seconds: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .openapi({ example: 95 })
    .describe(
      'Length of the input if known, for the estimate and to check it against the length limit. The price ' +
        'depends on processing time, not on length',
    ),
  megapixels: z
    .number()
    .positive()
    .max(10_000)
    .optional()
    .openapi({ example: 12.2 })
    .describe('Width times height of an image in millions of pixels if known, for the estimate'),
}).openapi('QuoteRequest')

export const Quote = z
  .object({
    base_credits: z.int().openapi({ description: 'Credits charged at submission', example: 2 }),
    max_credits: z.int().openapi({ description: 'Largest price of the job in credits', example: 30 }),
    balance: z.int().openapi({ description: 'Credits of the account', example: 520 }),
    affordable: z
      .boolean()
      .openapi({ description: 'True if the balance covers `base_credits`', example: true }),
    max_duration_seconds: z
      .int()
      .nullable()
      .openapi({ example: 1800 })
      .describe(
        "Maximum video length of the account's tier; the server may have a lower limit for links. null for " +
          'operations on images, and for links of which only metadata is fetched',
      ),
    too_long: z
      .boolean()
      .openapi({ example: false })
      .describe('True if duration_seconds exceeds the limit: the job would fail and be refunded in full'),
    assumed_duration_seconds: z
      .number()
      .nullable()
      .openapi({ example: 95 })
      .describe(
        'Length of the input that the estimate assumes: as requested, as an earlier job measured for your own file, or a ' +
          'typical one. null for operations whose input has no length',
      ),
    estimated_seconds: z
      .number()
      .openapi({ description: 'Expected processing time in seconds', example: 14 }),
    estimated_credits: z
      .int()
      .openapi({ example: 2 })
      .describe('Expected price: not less than base_credits or more than max_credits'),
    estimated_from: z
      .enum(['recent_jobs', 'typical_figures'])
      .describe(
        'recent_jobs: corrected by how long recent jobs of the operation took. typical_figures: the time on two ' +
          'cores, because too few jobs have been measured yet',
      ),
  })
  .openapi('Quote')

const streamed = { job_id: idOf('job') }

/** Data of the `status` events of a job's stream. */
export const JobStatusEvent = z
  .object({
    ...streamed,
    status: z.enum(JOB_STATES).openapi({ description: 'State that the job entered', example: 'processing' }),
    at: Timestamp.describe('Time of the change'),
    job: Job.optional().openapi({ description: 'The job; only in the last event' }),
  })
  .openapi('JobStatusEvent', { description: 'Data of a `status` event' })

/** Data of the `progress` events of a job's stream. */
export const JobProgressEvent = z
  .object({
    ...streamed,
    progress: z.int().min(0).max(100).openapi({ description: 'Progress in percent', example: 40 }),
  })
  .openapi('JobProgressEvent', { description: 'Data of a `progress` event' })

export const Purged = z
  .object({ purged: z.boolean().openapi({ description: 'True if files were deleted', example: true }) })
  .openapi('Purged')

export const JobPath = z.object({ job_id: z.string().min(1).max(64).describe('Id of the job') })

const WAIT_SECONDS_MAX = 60

export const WaitQuery = z.object({
  wait: wholeNumberOr(0, {
    min: 0,
    max: WAIT_SECONDS_MAX,
    description: 'Seconds to wait for the end before the response; 0 responds at once',
  }),
})

/** A Boolean query parameter: documented as a Boolean, but sent as text. */
export const flag = z
  .string()
  .pipe(z.enum(['true', 'false', '1', '0']))
  .transform((text) => text === 'true' || text === '1')
  .openapi({ type: 'boolean' })

/** Filters of lists of jobs and batches. */
export const operationFilters = {
  service_slug: JobSubmit.shape.service_slug.optional().describe('Only jobs of this service'),
  operation_key: JobSubmit.shape.operation_key.optional().describe('Only jobs of this operation'),
}

export const Paging = z.object({
  limit: limitOf(50, 200),
  offset,
  cursor,
})

const STATUS_LENGTH_MAX = 100

/** A filter by one or more states, separated by commas. */
export const stateFilter = <const State extends string>(states: readonly [State, ...State[]]) =>
  z
    .string()
    .max(STATUS_LENGTH_MAX)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(states)).max(states.length))
    .optional()
    .openapi({
      param: { style: 'form', explode: false },
      type: 'array',
      items: { type: 'string', enum: [...states] },
      minItems: 1,
      maxItems: states.length,
      description: 'One or more states, separated by commas',
    })

/** Filters of job lists. Contract: Jobs, Filters. */
export const jobFilters = {
  status: stateFilter(JOB_STATES),
  ...operationFilters,
  tag: Tag.optional().describe('Only jobs with this tag'),
  ...createdBetween,
}

export const JobsQuery = Paging.extend({
  ...jobFilters,
  mine: flag.default(false).describe('Administrators see the jobs of all accounts unless this is true'),
})
