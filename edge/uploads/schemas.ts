import { z } from '@hono/zod-openapi'
import { packTexts } from '../../shared/text/texts.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { contentType, filename, sizeBytes } from '../platform/http/schemas/common-fields.ts'
import { bareType, DECLARED_TYPE } from './rules/media-types.ts'
import { PART_BYTES_MAX, PART_BYTES_MIN, PARTS_MAX } from './rules/parts.ts'
import { readS3Call } from './rules/s3-calls.ts'

/** Uppy proposes keys that contain the encoded file name, so they can be longer than the keys of this service. */
const KEY_LENGTH_MAX = 4096

const NOT_A_TYPE = packTexts({
  en: 'Must be a content type such as video/mp4.',
  uk: 'Значення має бути типом вмісту, наприклад video/mp4.',
  ru: 'Значение должно быть типом содержимого, например video/mp4.',
})

export const PresignRequest = z
  .strictObject({
    filename: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .openapi({ description: 'Name of the file', example: 'holiday.mp4' }),
    content_type: z
      .string()
      .max(255)
      .regex(DECLARED_TYPE, NOT_A_TYPE)
      .overwrite(bareType)
      .openapi({ description: 'Content type of the file; parameters are dropped', example: 'video/mp4' }),
    size_bytes: z.int().min(1).openapi({ description: 'Size of the file in bytes', example: 10_485_760 }),
  })
  .openapi('PresignRequest')

const PUT_URL = 'https://storage.example.com/uploads/5f2d?X-Amz-Signature=9f86d081'
const fileUrl = z.string().openapi({
  description: 'Pass this URL to a job as `params.file_url`',
  example: 'https://media.example.com/files/uploads/5f2d/holiday.mp4',
})
const uploadKey = z
  .string()
  .openapi({ description: 'Key of the upload, for later requests', example: 'uploads/5f2d/holiday.mp4' })

export const PresignedUpload = z
  .object({
    method: z.literal('PUT').describe('Method of the upload'),
    put_url: z
      .string()
      .openapi({ example: PUT_URL })
      .describe(
        'PUT the bytes to this URL with the given headers before expires_at; empty if the upload is complete',
      ),
    headers: z.object({ 'Content-Type': contentType }).describe('Headers to send with the PUT request'),
    url: fileUrl,
    key: uploadKey,
    expires_at: Timestamp.describe('After this time, `put_url` no longer works'),
  })
  .openapi('PresignedUpload')

export const UploadForm = z.strictObject({
  file: z
    .string()
    .openapi({ format: 'binary', description: 'The file; at most about 100 MB with this endpoint' }),
})

export const Upload = z
  .object({
    url: fileUrl,
    key: uploadKey,
    filename,
    content_type: contentType,
    size_bytes: sizeBytes,
  })
  .openapi('Upload')

export const MultipartCreateRequest = PresignRequest.openapi('MultipartCreateRequest')

export const MultipartCreated = z
  .object({
    upload_id: z
      .string()
      .openapi({ description: 'Id of the upload, for later requests', example: 'VXBsb2FkIElE' }),
    key: uploadKey,
    part_size: z.int().openapi({
      description: 'Size of every part in bytes; the last part has the remaining bytes',
      example: 8_388_608,
    }),
    part_count: z.int().openapi({ description: 'Number of parts', example: 2 }),
    expires_at: Timestamp.describe('Incomplete uploads are aborted at this time'),
  })
  .openapi('MultipartCreated')

const partNumber = z
  .int()
  .min(1)
  .max(PARTS_MAX)
  .openapi({ description: 'Number of the part; 1 is the first', example: 1 })

const namedUpload = z.strictObject({
  upload_id: z
    .string()
    .min(1)
    .max(4096)
    .openapi({ description: 'Id of the upload', example: 'VXBsb2FkIElE' }),
  key: z
    .string()
    .min(1)
    .max(1024)
    .openapi({ description: 'Key of the upload', example: 'uploads/5f2d/holiday.mp4' }),
})

export const MultipartSignPartRequest = namedUpload
  .extend({ part_number: partNumber })
  .openapi('MultipartSignPartRequest')

export const SignedPart = z
  .object({
    put_url: z.string().openapi({
      description: 'PUT the bytes of this part to this URL; keep the ETag of the response',
      example: PUT_URL,
    }),
    headers: z
      .record(z.string(), z.string())
      .openapi({ description: 'Headers to send with the PUT request', example: {} }),
    expires_at: Timestamp.describe('After this time, sign the part again'),
  })
  .openapi('SignedPart')

/** Accepts an ETag with or without the quotation marks used in the header. */
const etag = z
  .string()
  .regex(
    /^("[\w.+/=:-]{1,200}"|[\w.+/=:-]{1,200})$/,
    packTexts({
      en: 'Must be the ETag header of the response of the storage to the part.',
      uk: 'Має бути заголовок ETag з відповіді сховища на частину.',
      ru: 'Должен быть заголовок ETag из ответа хранилища на часть.',
    }),
  )
  .openapi({
    description: 'ETag from the response of the storage',
    example: '9bb58f26192e4ba00f01e2e7b136bbd8',
  })

export const MultipartCompleteRequest = namedUpload
  .extend({
    parts: z
      .array(z.strictObject({ part_number: partNumber, etag }))
      .min(1)
      .max(PARTS_MAX)
      .describe('Every part, in order, with the ETag from the response of the storage'),
  })
  .openapi('MultipartCompleteRequest')

export const MultipartAbortRequest = namedUpload.openapi('MultipartAbortRequest')

/** A request as Uppy's S3 plugin passes it to `signRequest`, in snake case, with the declaration of a new upload. */
export const S3SignRequest = z
  .strictObject({
    method: z.enum(['GET', 'PUT', 'POST', 'DELETE']).describe('Method of the S3 request to sign'),
    key: z.string().min(1).max(KEY_LENGTH_MAX).optional().openapi({
      description: 'Key of the upload; ignored for a new upload, which gets its own key',
      example: 'uploads/5f2d/holiday.mp4',
    }),
    upload_id: namedUpload.shape.upload_id
      .optional()
      .describe('Upload id from storage; absent for a new upload'),
    part_number: MultipartSignPartRequest.shape.part_number.optional().describe('Only for a PUT of a part'),
    filename: PresignRequest.shape.filename.optional().describe('For a new upload, like the next three'),
    content_type: PresignRequest.shape.content_type.optional(),
    size_bytes: PresignRequest.shape.size_bytes.optional(),
    part_size: z.int().min(PART_BYTES_MIN).max(PART_BYTES_MAX).optional().openapi({
      description: 'Size of every part except the last in bytes, if it differs from the default of Uppy',
      example: 8_388_608,
    }),
  })
  .openapi('S3SignRequest', {
    example: { method: 'POST', filename: 'holiday.mp4', content_type: 'video/mp4', size_bytes: 10_485_760 },
  })
  .transform((request, context) => {
    const call = readS3Call(request)
    if ('call' in call) return call
    context.addIssue({ code: 'custom', path: [call.field], ...schemaFault(call.fault) })
    return z.NEVER
  })

export const S3SignedRequest = z
  .object({
    url: z.string().openapi({ description: 'Send the S3 request to this URL', example: PUT_URL }),
    key: uploadKey,
    headers: z
      .record(z.string(), z.string())
      .openapi({ description: 'Headers to send with the request', example: {} }),
    expires_at: Timestamp.describe('After this time, sign the request again'),
    file_url: fileUrl.describe('Pass this URL to a job as `params.file_url` once the upload is complete'),
    part_size: z.int().optional().openapi({
      description: 'For a new upload in parts: size of every part except the last, in bytes',
      example: 8_388_608,
    }),
    part_count: z
      .int()
      .optional()
      .openapi({ description: 'For a new upload in parts: number of parts', example: 2 }),
  })
  .openapi('S3SignedRequest')

export const DownloadQuery = z.object({
  url: z.string().min(1).max(4096).openapi({
    description: 'URL of a result file',
    example: 'https://media.example.com/files/results/9e6b/holiday-compress.mp4',
  }),
})

export const UploadPath = z.object({ key: namedUpload.shape.key })
