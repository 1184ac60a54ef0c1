/**
 * Names the image compression that the decoder lacks, based on its error message. Returns null for other failures.
 */
export function nameUnsupportedCoding(message: string): string | null {
  const [, compression] = /(?:: |^)([\w -]+) compression support is not configured/m.exec(message) ?? []
  if (compression !== undefined) return `TIFF images with ${compression} compression`
  // The pattern quotes the error message of libtiff.
  const [, scheme] = /Compression scheme (\d+) .*is not implemented/.exec(message) ?? []
  if (scheme !== undefined) return `TIFF images with compression ${scheme}`
  const [, type] = /Image item of type '(\w+)' is not supported/.exec(message) ?? []
  if (type === 'unci') return 'HEIF images in the uncompressed coding (unci)'
  return type === undefined ? null : `HEIF images of type ${type}`
}
