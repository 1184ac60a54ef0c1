import { isUnreadImage } from '../../../shared/images/input-formats.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'
import { ACCEPTED_IMAGES, ACCEPTED_TYPES, isReadableType } from './media-types.ts'

/** Limits of uploads. Contract: Uploads, Upload limits. */
export const GIGABYTE = 1024 ** 3

/** R2 limits a single PUT to 5 GiB minus 5 MiB; larger files need a multipart upload. */
const SINGLE_PUT_BYTES_MAX = 5 * GIGABYTE - 5 * 1024 ** 2

export type UploadRefusal = Refusal<'file_too_large' | 'file_type_not_allowed'>

/**
 * Size limit for uploads through the Worker, set by the proxy in front of it. Larger files are sent directly to
 * storage.
 */
export const PROXIED_BYTES_MAX = 100 * 1024 * 1024

/**
 * Returns the largest size that the file of a form can have.
 * @param contentLength the header of the request; null if it declares no length
 */
export function formBytesMax(maxUploadGb: number, contentLength: string | null): number {
  const bytes_max = Math.floor(Math.min(maxUploadGb * GIGABYTE, PROXIED_BYTES_MAX))
  const length = Number(contentLength)
  return length > 0 ? Math.min(length, bytes_max) : bytes_max
}

/** Returns the maximum size of a file uploaded with a single PUT. */
export function uploadBytesMax(maxUploadGb: number): number {
  return Math.min(maxUploadGb * GIGABYTE, SINGLE_PUT_BYTES_MAX)
}

/**
 * Validates a declared upload.
 * @param bytesMax the limit of this upload method; direct uploads are limited to a single PUT.
 * @returns null if the upload may start.
 */
export function judgeUpload(
  { size_bytes, content_type }: { size_bytes: number; content_type: string },
  maxUploadGb: number,
  bytesMax = SINGLE_PUT_BYTES_MAX,
): UploadRefusal | null {
  const limit = Math.min(maxUploadGb * GIGABYTE, bytesMax)
  if (size_bytes > limit) {
    const is_proxied = limit === PROXIED_BYTES_MAX
    return { code: 'file_too_large', facts: { bytes_max: limit, is_proxied } }
  }
  if (isReadableType(content_type)) return null
  const accepted = isUnreadImage(content_type) ? ACCEPTED_IMAGES : ACCEPTED_TYPES
  return { code: 'file_type_not_allowed', facts: { content_type, accepted } }
}
