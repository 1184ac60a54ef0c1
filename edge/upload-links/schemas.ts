import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { givenLabels, shownLabels } from '../jobs/label-schemas.ts'
import { JobSubmit, Paging, Result, webhookUrl } from '../jobs/schemas.ts'
import { TYPE_PATTERN } from './rules/links.ts'
import { UPLOAD_SESSION_STATES } from './rules/sessions.ts'

const TYPES_MAX = 50
const types = z.array(z.string()).describe('For example "video/mp4", or "video/*" for all video types')

export const UploadSessionCreate = z
  .strictObject({
    service_slug: JobSubmit.shape.service_slug,
    operation_key: JobSubmit.shape.operation_key,
    params: JobSubmit.shape.params
      .describe('Parameters of the operation; the service sets `file_url` to the received file')
      .openapi({ example: { level: 'medium' } }),
    allowed_mime_types: z
      .array(z.string().max(127).regex(TYPE_PATTERN, 'not a content type such as video/mp4 or video/*'))
      .min(1)
      .max(TYPES_MAX)
      .optional()
      .describe('Accepted content types; defaults to those the operation accepts')
      .openapi({ example: ['video/mp4', 'video/quicktime'] }),
    max_size_bytes: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Maximum file size; defaults to the maximum of the service'),
    expires_in: z.int().min(60).max(604_800).default(86_400).describe('Seconds until the link expires'),
    webhook_url: webhookUrl,
    ...givenLabels,
    note: z.string().trim().max(500).optional().describe('Shown to the person who opens the link'),
  })
  .openapi('UploadSessionCreate')

export const UploadSession = z
  .object({
    id: z.string(),
    status: z.enum(UPLOAD_SESSION_STATES),
    service_slug: z.string(),
    operation_key: z.string(),
    params: z.looseObject({}),
    allowed_mime_types: types,
    max_size_bytes: z.int(),
    job_id: z.string().nullable(),
    result: z.union([Result, z.null()]),
    error: z.string().nullable(),
    note: z.string().nullable(),
    webhook_url: z.string().nullable(),
    ...shownLabels,
    expires_at: Timestamp,
    created_at: Timestamp,
  })
  .openapi('UploadSession')

export const UploadSessionCreated = UploadSession.extend({
  upload_url: z.string().describe('Web page where a person sends the file. Shown only once'),
  token: z.string().describe('Secret of the link, for programs that send the file. Shown only once'),
}).openapi('UploadSessionCreated')

export const UploadSessionPath = z.object({ session_id: z.string().min(1).max(64) })
export const UploadSessionsQuery = Paging

export const UploadLinkPath = z.object({ token: z.string().min(1).max(128) })

export const UploadLink = z
  .object({
    status: z.enum(['pending', 'uploading']),
    service_slug: z.string(),
    operation_key: z.string(),
    title: z.string().describe('Title of the operation'),
    description: z.string(),
    allowed_mime_types: types,
    max_size_bytes: z.int(),
    form_size_bytes_max: z
      .int()
      .describe('Maximum file size of the form; PUT larger files directly to storage'),
    note: z.string().nullable(),
    expires_at: Timestamp,
  })
  .openapi('UploadLink')

export const UploadLinkState = z
  .object({
    status: z.enum(UPLOAD_SESSION_STATES),
    error: z.string().nullable().describe('Reason if the file could not be processed'),
    expires_at: Timestamp,
  })
  .openapi('UploadLinkState')

export const UploadLinkComplete = z
  .strictObject({
    key: z.string().min(1).max(1024).optional().describe('Defaults to the most recent upload of the link'),
  })
  .openapi('UploadLinkComplete')
