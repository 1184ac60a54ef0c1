import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { JobSubmit, Paging, Result, webhookUrl } from '../jobs/schemas.ts'
import { TYPE_PATTERN } from './rules/links.ts'
import { UPLOAD_SESSION_STATES } from './rules/sessions.ts'

const TYPES_MAX = 50
const types = z.array(z.string()).describe('As "video/mp4", or "video/*" for all of a kind')

export const UploadSessionCreate = z
  .object({
    service_slug: JobSubmit.shape.service_slug,
    operation_key: JobSubmit.shape.operation_key,
    params: JobSubmit.shape.params
      .describe('The parameters of the operation; its file is the one that comes by the link')
      .openapi({ example: { level: 'medium' } }),
    allowed_mime_types: z
      .array(z.string().max(127).regex(TYPE_PATTERN, 'not a content type such as video/mp4 or video/*'))
      .min(1)
      .max(TYPES_MAX)
      .optional()
      .describe('What may be sent; by default whatever the operation takes')
      .openapi({ example: ['video/mp4', 'video/quicktime'] }),
    max_size_bytes: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('At most what the service takes at all, which is the default'),
    expires_in: z.int().min(60).max(604_800).default(86_400).describe('Seconds until the link has expired'),
    webhook_url: webhookUrl,
    note: z.string().trim().max(500).optional().describe('Shown to whoever opens the link'),
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
    expires_at: Timestamp,
    created_at: Timestamp,
  })
  .openapi('UploadSession')

export const UploadSessionCreated = UploadSession.extend({
  upload_url: z.string().describe('A page that a person opens to send the file. Told this once'),
  token: z.string().describe('The secret of the link, for programs that send the file. Told this once'),
}).openapi('UploadSessionCreated')

export const UploadSessionPath = z.object({ session_id: z.string().min(1).max(64) })
export const UploadSessionsQuery = Paging

export const UploadLinkPath = z.object({ token: z.string().min(1).max(128) })

export const UploadLink = z
  .object({
    status: z.enum(['pending', 'uploading']),
    service_slug: z.string(),
    operation_key: z.string(),
    title: z.string().describe('What will be made of the file'),
    description: z.string(),
    allowed_mime_types: types,
    max_size_bytes: z.int(),
    form_size_bytes_max: z.int().describe('The most that the form takes; what is larger is PUT directly'),
    note: z.string().nullable(),
    expires_at: Timestamp,
  })
  .openapi('UploadLink')

export const UploadLinkState = z
  .object({
    status: z.enum(UPLOAD_SESSION_STATES),
    error: z.string().nullable().describe('What went wrong with the file'),
    expires_at: Timestamp,
  })
  .openapi('UploadLinkState')

export const UploadLinkComplete = z
  .object({ key: z.string().min(1).max(1024).optional().describe('By default the upload begun last') })
  .openapi('UploadLinkComplete')
