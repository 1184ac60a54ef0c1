/** Bounds of uploads. Specification: Limits; open names: Uploads. */
const GIGABYTE = 1024 ** 3

/** R2 takes no more than 5 GiB in one PUT; larger files go by parts. */
const SINGLE_PUT_BYTES_MAX = 5 * GIGABYTE

export type UploadRefusal = { status: 413 | 415; message: string }

/** @returns null where the upload may begin. */
export function judgeUpload(
  { size_bytes, content_type }: { size_bytes: number; content_type: string },
  maxUploadGb: number,
): UploadRefusal | null {
  const limit = Math.min(maxUploadGb * GIGABYTE, SINGLE_PUT_BYTES_MAX)
  if (size_bytes > limit) {
    return {
      status: 413,
      message: `the file is larger than ${Math.floor((limit / GIGABYTE) * 100) / 100} GB`,
    }
  }
  if (/^text\/html|javascript|svg/i.test(content_type)) {
    return { status: 415, message: `files of type ${content_type} are not taken` }
  }
  return null
}
