import { z } from '@hono/zod-openapi'
import { CONTENT_TYPE } from '../rules/uploads.ts'
import { Timestamp } from './account.ts'

export const PresignRequest = z
  .object({
    filename: z.string().trim().min(1).max(255).openapi({ example: 'holiday.mp4' }),
    content_type: z
      .string()
      .max(127)
      .regex(CONTENT_TYPE, 'not a content type such as video/mp4')
      .openapi({ example: 'video/mp4' }),
    size_bytes: z.int().min(1),
  })
  .openapi('PresignRequest')

export const PresignedUpload = z
  .object({
    method: z.literal('PUT'),
    put_url: z.string().describe('PUT the bytes here, with the headers given, before expires_at'),
    headers: z.object({ 'Content-Type': z.string() }),
    url: z.string().describe('Hand this to a job as params.file_url'),
    key: z.string(),
    expires_at: Timestamp,
  })
  .openapi('PresignedUpload')

export const UploadForm = z.object({
  file: z.string().openapi({ format: 'binary', description: 'The file; at most about 100 MB this way' }),
})

export const Upload = z
  .object({
    url: z.string().describe('Hand this to a job as params.file_url'),
    key: z.string(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
  })
  .openapi('Upload')

export const DownloadQuery = z.object({ url: z.string().min(1).max(4096) })
