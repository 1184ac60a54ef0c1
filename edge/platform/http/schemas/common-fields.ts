import { z } from '@hono/zod-openapi'

/** Fields that several resources share, each with a description and an example. */

/** Describes the id of a resource, such as "job". */
export const idOf = (resource: string) =>
  z
    .string()
    .openapi({ description: `Id of the ${resource}`, example: '7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40' })

/** Describes the numeric id of a resource. */
export const numberOf = (resource: string) =>
  z.int().openapi({ description: `Id of the ${resource}`, example: 17 })

export const serviceSlug = z
  .string()
  .openapi({ description: 'Service of the operation: `video` or `image`', example: 'video' })

export const operationKey = z
  .string()
  .openapi({ description: 'Key of the operation within its service', example: 'compress' })

export const operationTitle = z
  .string()
  .openapi({ description: 'Title of the operation', example: 'Compress video' })

export const emailAddress = z
  .string()
  .openapi({ description: 'Email address of the account', example: 'ada@example.com' })

export const currencyCode = z
  .string()
  .openapi({ description: 'Currency of the amounts, as an ISO 4217 code', example: 'USD' })

export const filename = z.string().openapi({ description: 'Name of the file', example: 'holiday.mp4' })

export const contentType = z
  .string()
  .openapi({ description: 'Content type of the file', example: 'video/mp4' })

export const sizeBytes = z.int().openapi({ description: 'Size of the file in bytes', example: 10_485_760 })

/** Describes a number of jobs, such as "that failed". */
export const jobsThat = (did: string, example: number) =>
  z
    .int()
    .min(0)
    .openapi({ description: `Number of jobs ${did}`, example })

export const noteOf = (author: string) =>
  z
    .string()
    .nullable()
    .openapi({ description: `Note of ${author}; null if there is none`, example: 'Agreed by email' })
