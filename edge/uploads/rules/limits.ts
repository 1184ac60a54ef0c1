import type { Refusal } from '../../platform/errors/rules/table.ts'

/** Bounds of uploads. Contract: Uploads, Upload limits. */
export const GIGABYTE = 1024 ** 3

/** R2 takes no more than 5 GiB less 5 MiB in one PUT; larger files go by parts. */
const SINGLE_PUT_BYTES_MAX = 5 * GIGABYTE - 5 * 1024 ** 2

export type UploadRefusal = Refusal<'file_too_large' | 'file_type_not_allowed'>

/** What passes through the service itself; a proxy before it takes no more. Larger files go straight to storage. */
export const PROXIED_BYTES_MAX = 100 * 1024 * 1024

export const CONTENT_TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/

/** The largest file that one PUT may bring. */
export function uploadBytesMax(maxUploadGb: number): number {
  return Math.min(maxUploadGb * GIGABYTE, SINGLE_PUT_BYTES_MAX)
}

/**
 * @param bytesMax of this way to send a file; what goes straight to storage is bounded by its single PUT.
 * @returns null where the upload may begin.
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
  return isActiveType(content_type) ? { code: 'file_type_not_allowed', facts: { content_type } } : null
}

/** Types that a browser would run where it opened them. */
export function isActiveType(content_type: string): boolean {
  return /^text\/html|javascript|svg/i.test(content_type)
}
