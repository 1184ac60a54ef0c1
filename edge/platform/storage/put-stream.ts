/** R2 requires parts of at least 5 MiB, all of the same size except the last. */
const PART_BYTES = 5 * 1024 * 1024

/**
 * Writes an object of unknown length from a stream, with only one part in memory at a time. If `chunks` throws, no
 * object is left behind.
 * @returns the ETag
 */
export async function putStream(
  bucket: R2Bucket,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<string> {
  const options = { httpMetadata: { contentType } }
  let upload: R2MultipartUpload | null = null
  const parts: R2UploadedPart[] = []
  try {
    for await (const { bytes, last } of inParts(chunks, PART_BYTES)) {
      if (last && upload === null) {
        return (await bucket.put(key, bytes, options)).httpEtag
      }
      upload ??= await bucket.createMultipartUpload(key, options)
      parts.push(await upload.uploadPart(parts.length + 1, bytes))
    }
    if (upload === null) throw new Error('a stream without a last part')
    return (await upload.complete(parts)).httpEtag
  } catch (error) {
    // Ignores a failed abort: storage deletes leftover parts by itself, and the caller needs the original error.
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

/**
 * Groups chunks into parts of equal size; the last part may be shorter. A part is valid only until the next one is
 * requested.
 */
async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ bytes: Uint8Array; last: boolean }> {
  const part = new Uint8Array(size)
  let filled = 0
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      if (filled === size) {
        yield { bytes: part, last: false }
        filled = 0
      }
      const piece = chunk.subarray(offset, offset + size - filled)
      part.set(piece, filled)
      filled += piece.length
      offset += piece.length
    }
  }
  yield { bytes: part.subarray(0, filled), last: true }
}
