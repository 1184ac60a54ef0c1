/** Parts of open uploads that this process has seen. */
export interface PartList {
  add(address: PartAddress, part: { number: number; etag: string; size_bytes: number }): void
  /** Returns the S3 answer to ListParts. */
  describe(address: PartAddress): string
}

/** Names an upload: the path of its object, and its upload id. */
export interface PartAddress {
  path: string
  uploadId: string
}

/**
 * Keeps a list of uploaded parts, because the local R2, unlike R2 in production, does not implement ListParts. After a
 * restart the list is empty, so clients send all parts of an open upload again.
 */
export function createPartList(): PartList {
  const uploads = new Map<string, Map<number, { etag: string; size_bytes: number }>>()
  const nameOf = ({ path, uploadId }: PartAddress) => `${path} ${uploadId}`
  return {
    add(address, { number, ...part }) {
      const parts = uploads.get(nameOf(address)) ?? new Map()
      uploads.set(nameOf(address), parts.set(number, part))
    },
    describe(address) {
      const parts = [...(uploads.get(nameOf(address)) ?? [])].sort(([one], [other]) => one - other)
      const rows = parts.map(
        ([number, { etag, size_bytes }]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag><Size>${size_bytes}</Size></Part>`,
      )
      return (
        '<?xml version="1.0" encoding="UTF-8"?>' +
        '<ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
        `<UploadId>${escapeXml(address.uploadId)}</UploadId>${rows.join('')}` +
        '<IsTruncated>false</IsTruncated></ListPartsResult>'
      )
    },
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
