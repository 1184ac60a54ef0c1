import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { NOT_A_BUCKET, NOT_A_KEY, NOT_A_NAME, NOT_A_REGION } from './field-texts.ts'
import { CONNECTION_PROBLEMS } from './rules/check-answer.ts'
import { isPlainPath } from './rules/object-keys.ts'

const PREFIX_LENGTH_MAX = 512

export const connectionName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, NOT_A_NAME)
  .openapi({ description: 'Name of the connection in `storage://NAME/KEY`', example: 'archive' })

const credential = z.string().regex(/^[\x21-\x7e]{1,256}$/, NOT_A_KEY)

const fields = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/, error: schemaFault('unsafe_storage_endpoint').message })
    .max(512)
    .openapi({
      description: 'Public https URL of the S3 endpoint, without the bucket',
      example: 'https://s3.eu-central-1.amazonaws.com',
    }),
  region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, NOT_A_REGION)
    .openapi({ description: 'Region of the bucket, for the signature', example: 'eu-central-1' }),
  bucket: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, NOT_A_BUCKET)
    .openapi({ description: 'Name of the bucket', example: 'media-archive' }),
  prefix: z
    .string()
    .max(PREFIX_LENGTH_MAX)
    .refine((prefix) => isPlainPath(prefix), schemaFault('invalid_object_key'))
    .openapi({
      description: 'Folder of the bucket to which the connection is limited',
      example: 'videos/2026',
    }),
  access_key_id: credential.openapi({ description: 'Access key id', example: 'AKIAIOSFODNN7EXAMPLE' }),
  secret_access_key: credential.openapi({
    description: 'Secret access key. It is stored encrypted, and no response contains it',
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }),
})

export const StorageConnectionCreate = fields
  .extend({ name: connectionName, prefix: fields.shape.prefix.default('') })
  .openapi('StorageConnectionCreate')

export const StorageConnectionChange = fields
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, schemaFault('nothing_to_change'))
  .openapi('StorageConnectionChange')

export const StorageConnection = fields
  .omit({ secret_access_key: true })
  .extend({
    name: connectionName,
    created_at: Timestamp.describe('Time of the creation'),
    updated_at: Timestamp.describe('Time of the last change'),
  })
  .openapi('StorageConnection')

export const StorageConnectionCheck = z
  .object({
    ok: z.boolean().openapi({ description: 'True if the connection can list the bucket', example: false }),
    problem: z
      .enum(CONNECTION_PROBLEMS)
      .nullable()
      .openapi({ description: 'What is wrong; null if nothing is', example: 'wrong_secret' }),
    message: z.string().nullable().openapi({
      description: 'What is wrong and what to do, as a sentence for people; null if nothing is wrong',
      example: 'The storage refused the signature. Check secret_access_key.',
    }),
    status: z
      .int()
      .nullable()
      .openapi({ description: 'HTTP status of the storage; null if it did not respond', example: 403 }),
  })
  .openapi('StorageConnectionCheck')

export const StorageConnectionPath = z.object({
  connection_name: z
    .string()
    .min(1)
    .max(64)
    .openapi({ description: 'Name of the storage connection', example: 'archive' }),
})
