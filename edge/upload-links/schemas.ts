import { z } from '@hono/zod-openapi'
import { packTexts } from '../../shared/text/texts.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { givenLabels, shownLabels } from '../jobs/label-schemas.ts'
import { JobSubmit, Paging, Result, webhookUrl } from '../jobs/schemas.ts'
import { idOf, operationKey, operationTitle, serviceSlug } from '../platform/http/schemas/common-fields.ts'
import { bareType, DECLARED_TYPE_PATTERN } from '../uploads/rules/media-types.ts'
import { UPLOAD_SESSION_STATES } from './rules/sessions.ts'

const TYPES_MAX = 50
const types = z.array(z.string()).openapi({
  description: 'Accepted content types, such as "video/mp4", or "video/*" for all video types',
  example: ['video/*'],
})

const NOTE = 'Please send the recording of your talk.'

export const UploadSessionCreate = z
  .strictObject({
    service_slug: JobSubmit.shape.service_slug,
    operation_key: JobSubmit.shape.operation_key,
    params: JobSubmit.shape.params
      .describe('Parameters of the operation; the service sets `file_url` to the received file')
      .openapi({ example: { level: 'medium' } }),
    allowed_mime_types: z
      .array(
        z
          .string()
          .max(255)
          .regex(
            DECLARED_TYPE_PATTERN,
            packTexts({
              en: 'Must be a content type such as video/mp4 or video/*.',
              uk: 'Значення має бути типом вмісту, наприклад video/mp4 або video/*.',
              ru: 'Значение должно быть типом содержимого, например video/mp4 или video/*.',
            }),
          )
          .overwrite(bareType),
      )
      .min(1)
      .max(TYPES_MAX)
      .optional()
      .describe('Accepted content types; defaults to those the operation accepts')
      .openapi({ example: ['video/mp4', 'video/quicktime'] }),
    max_size_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().openapi({
      description: 'Largest file size in bytes. Default: the maximum of the service',
      example: 1_073_741_824,
    }),
    expires_in: z
      .int()
      .min(60)
      .max(604_800)
      .default(86_400)
      .openapi({ description: 'Seconds until the link expires', example: 86_400 }),
    webhook_url: webhookUrl,
    ...givenLabels,
    note: z
      .string()
      .trim()
      .max(500)
      .optional()
      .openapi({ description: 'Shown to the person who opens the link', example: NOTE }),
  })
  .openapi('UploadSessionCreate')

const sessionStatus = z
  .enum(UPLOAD_SESSION_STATES)
  .openapi({ description: 'State of the upload session', example: 'done' })
const maxSize = z.int().openapi({ description: 'Largest file size in bytes', example: 1_073_741_824 })
const note = z
  .string()
  .nullable()
  .openapi({ description: 'Shown to the person who opens the link; null if there is none', example: NOTE })
const expires_at = Timestamp.describe('After this time, the link no longer works')

export const UploadSession = z
  .object({
    id: idOf('upload session'),
    status: sessionStatus,
    service_slug: serviceSlug,
    operation_key: operationKey,
    params: z
      .looseObject({})
      .openapi({ description: 'Parameters of the operation', example: { level: 'medium' } }),
    allowed_mime_types: types,
    max_size_bytes: maxSize,
    job_id: idOf('job').nullable().describe('Job that processes the file; null before'),
    result: z.union([Result, z.null()]).describe('Result of the job; null until it is done'),
    error: z.string().nullable().openapi({
      description: 'Reason if the file could not be processed; null if there is none',
      example: null,
    }),
    note,
    webhook_url: z.string().nullable().openapi({
      description: 'URL that receives the webhook of the job; null if there is none',
      example: 'https://example.org/hooks/media',
    }),
    ...shownLabels,
    expires_at,
    created_at: Timestamp.describe('Time at which the session was created'),
  })
  .openapi('UploadSession')

export const UploadSessionCreated = UploadSession.extend({
  upload_url: z.string().openapi({
    description: 'Web page where a person sends the file. Shown only once',
    example: 'https://media.example.com/send#5f2d9e6b1c40',
  }),
  token: z.string().openapi({
    description: 'Secret of the link, for programs that send the file. Shown only once',
    example: '5f2d9e6b1c40',
  }),
}).openapi('UploadSessionCreated')

export const UploadSessionPath = z.object({
  session_id: z.string().min(1).max(64).describe('Id of the upload session'),
})
export const UploadSessionsQuery = Paging

export const UploadLinkPath = z.object({ token: z.string().min(1).max(128).describe('Secret of the link') })

export const UploadLink = z
  .object({
    status: z.enum(['pending', 'uploading']).describe('`uploading` once an upload has started'),
    service_slug: serviceSlug,
    operation_key: operationKey,
    title: operationTitle,
    description: z
      .string()
      .openapi({ description: 'What the operation does', example: 'Reduces the file size.' }),
    summary: z.string().openapi({
      description: 'What the operation results in, in a few words',
      example: 'A smaller MP4, at the quality that you choose',
    }),
    allowed_mime_types: types,
    max_size_bytes: maxSize,
    form_size_bytes_max: z.int().openapi({
      description: 'Largest file size of the form in bytes; PUT larger files directly to storage',
      example: 104_857_600,
    }),
    note,
    expires_at,
  })
  .openapi('UploadLink')

export const UploadLinkState = z
  .object({
    status: sessionStatus,
    error: UploadSession.shape.error,
    expires_at,
  })
  .openapi('UploadLinkState')

export const UploadLinkComplete = z
  .strictObject({
    key: z.string().min(1).max(1024).optional().openapi({
      description: 'Key of the upload. Default: the most recent upload of the link',
      example: 'uploads/5f2d/talk.mp4',
    }),
  })
  .openapi('UploadLinkComplete')
