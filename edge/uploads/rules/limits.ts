import type { Refusal } from '../../platform/errors/rules/table.ts'

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

export const CONTENT_TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/

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
  const isRefused = isActiveType(content_type) || NO_MEDIA.test(content_type)
  return isRefused ? { code: 'file_type_not_allowed', facts: { content_type } } : null
}

/** Types that no operation can process. Unknown types pass, because clients often declare the wrong type. */
const NO_MEDIA =
  /^(font\/|application\/(json|pdf|zip|gzip|x-(zip-compressed|gzip|tar|7z-compressed|rar-compressed|msdownload|executable|sh)|vnd\.(rar|ms-(excel|powerpoint|word)|openxmlformats|oasis)|msword|java-archive)\b)/i

/** Checks for types that a browser would execute. */
export function isActiveType(content_type: string): boolean {
  return /^text\/html|javascript|svg/i.test(content_type)
}
