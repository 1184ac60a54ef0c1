import { z } from '@hono/zod-openapi'
import { PIPELINE_STAGES_MAX } from '../../shared/protocol/dispatch.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { batchFiles, refineFiles } from '../batches/schemas.ts'
import { importHeaders } from '../jobs/header-schemas.ts'
import { givenLabels } from '../jobs/label-schemas.ts'
import { JobSubmit, output, webhookUrl } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { operationKey, serviceSlug } from '../platform/http/schemas/common-fields.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { wholeNumber } from '../platform/http/schemas/whole-number.ts'
import { findJobParam } from './rules/content.ts'

const VERSION_MAX = 1_000_000

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, schemaFault('invalid_template_name').message)
  .openapi({
    description: 'Lowercase letters, digits, `_` and `-`; at most 64 characters',
    example: 'web-teaser',
  })

export const TemplatePath = z.object({ template_name: Name })
export const TemplateVersionPath = TemplatePath.extend({
  version: wholeNumber({ min: 1, max: VERSION_MAX, description: 'Version of the template' }),
})

/** Params without those that belong to a job. */
const OwnParams = JobSubmit.shape.params.refine(
  (params) => findJobParam(params) === undefined,
  schemaFault('template_job_param'),
)

const version = z.int().openapi({ description: 'Version of the template; 1 is the first', example: 2 })

const operations = z
  .array(
    z.strictObject({
      operation_key: JobSubmit.shape.operation_key,
      params: OwnParams.describe('Parameters of the operation').openapi({
        example: { start: 0, duration: 15 },
      }),
    }),
  )
  .min(1)
  .max(1 + PIPELINE_STAGES_MAX)
  .describe('The operations in order: the first reads the file, each other one the result before it')

const PURPOSE = 'The first seconds, for social media'

export const TemplateSave = z
  .strictObject({
    service_slug: JobSubmit.shape.service_slug,
    operations,
    description: plainText(300)
      .nullable()
      .default(null)
      .openapi({ description: 'What the template is for', example: PURPOSE }),
  })
  .openapi('TemplateSave')

export const TemplateVersion = z
  .object({
    version,
    service_slug: serviceSlug,
    operations: z
      .array(
        z.object({
          operation_key: operationKey,
          params: z.looseObject({}).openapi({ description: 'As saved', example: { start: 0, duration: 15 } }),
        }),
      )
      .describe('The operations in order'),
    created_at: Timestamp.describe('Time at which it was saved'),
  })
  .openapi('TemplateVersion')

export const Template = TemplateVersion.extend({
  name: Name,
  description: z
    .string()
    .nullable()
    .openapi({ description: 'What the template is for; null if it was not given', example: PURPOSE }),
  updated_at: Timestamp.describe('Time of the last change'),
}).openapi('Template')

export const TemplateDetails = Template.extend({
  versions: z.array(TemplateVersion).describe('All versions, newest first'),
}).openapi('TemplateDetails')

const address = z.string().min(1).max(4096)

const runFields = {
  version: z.int().min(1).max(VERSION_MAX).optional().openapi({
    description: 'Version of the template. Default: the latest version',
    example: 2,
  }),
  params: OwnParams.describe('Override parameters of the first operation').openapi({
    example: { duration: 10 },
  }),
  webhook_url: webhookUrl,
  output,
  ...givenLabels,
}

export const TemplateJobRun = z
  .strictObject({
    file_url: address.optional().openapi({
      description: 'From an upload, or a public URL',
      example: 'https://example.org/clip.mp4',
    }),
    url: address.optional().openapi({
      description: 'Public video link for link operations',
      example: 'https://example.org/watch?v=1',
    }),
    filename: z.string().trim().min(1).max(255).optional().openapi({
      description: 'Base name of the result file',
      example: 'teaser',
    }),
    headers: importHeaders,
    ...runFields,
  })
  .refine(({ file_url, url }) => (file_url === undefined) !== (url === undefined), {
    path: ['file_url'],
    ...schemaFault('file_url_and_url'),
  })
  .openapi('TemplateJobRun', { example: { file_url: 'https://example.org/clip.mp4', tag: 'newsletter' } })

export const TemplateBatchRun = refineFiles(z.strictObject({ ...batchFiles, ...runFields })).openapi(
  'TemplateBatchRun',
  {
    example: { file_urls: ['https://example.org/clip.mp4', 'https://example.org/talk.mp4'] },
  },
)
