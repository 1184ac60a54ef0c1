import { failWith, type JobFailure } from './failure.ts'

/**
 * Names the image compression that the decoder lacks, based on its error message. Returns null for other failures.
 */
export function explainCoding(message: string): JobFailure | null {
  const [, compression] = /(?:: |^)([\w -]+) compression support is not configured/m.exec(message) ?? []
  if (compression !== undefined) return failWith('tiff_compression_unsupported', { compression })
  // libtiff numbers the schemes that it can name but not decode.
  const [, scheme] = /Compression scheme (\d+) /.exec(message) ?? []
  if (scheme !== undefined) return failWith('tiff_compression_unsupported', { compression: scheme })
  const [, coding] = /Image item of type '(\w+)' is not supported/.exec(message) ?? []
  return coding === undefined ? null : failWith('heif_coding_unsupported', { coding })
}
