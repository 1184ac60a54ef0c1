/** Bounds of uploads. Contract: Uploads, Upload limits. */
export const GIGABYTE = 1024 ** 3

/** R2 takes no more than 5 GiB less 5 MiB in one PUT; larger files go by parts. */
const SINGLE_PUT_BYTES_MAX = 5 * GIGABYTE - 5 * 1024 ** 2

export type UploadRefusal = { status: 413 | 415; message: string }

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
  if (size_bytes > limit) return { status: 413, message: `the file is larger than ${nameSize(limit)}` }
  if (isActiveType(content_type)) {
    return { status: 415, message: `files of type ${content_type} are not taken` }
  }
  return null
}

/** Types that a browser would run where it opened them. */
export function isActiveType(content_type: string): boolean {
  return /^text\/html|javascript|svg/i.test(content_type)
}

function nameSize(bytes: number): string {
  if (bytes === PROXIED_BYTES_MAX) return '100 MB; send it by a direct upload (POST /api/v1/uploads/presign)'
  return `${Math.round((bytes / GIGABYTE) * 100) / 100} GB`
}
