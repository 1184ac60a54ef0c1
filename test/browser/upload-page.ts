import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'

/** The page of a site that takes large files, as its makers would write it with Uppy's own S3 client. */
export interface Uploaded {
  url: string
  parts: number
  /** How often a part was asked to be signed. */
  signatures: number
}

declare global {
  interface Window {
    /** Given by the test: an address whose time is over, for the part of that number, or null. */
    giveStaleAddress(put_url: string, part_number: number): Promise<string | null>
    uploadByParts(token: string): Promise<Uploaded>
  }
}

interface Begun {
  upload_id: string
  key: string
  part_size: number
}

window.uploadByParts = async (token) => {
  const { files } = document.querySelector('input') as HTMLInputElement
  const data = files?.[0]
  if (data === undefined) throw new Error('no file was chosen')
  const call = async <Answer>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(`/api/v1/uploads/multipart/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as Answer
  }
  const file = { filename: data.name, content_type: data.type, size_bytes: data.size }
  const begun = await call<Begun>('create', file)
  const uploaded: Uploaded = { url: '', parts: 0, signatures: 0 }
  const uppy = new Uppy({ autoProceed: false }).use(AwsS3, {
    shouldUseMultipart: true,
    limit: 4,
    getChunkSize: () => begun.part_size,
    createMultipartUpload: () => ({ uploadId: begun.upload_id, key: begun.key }),
    listParts: () => [],
    async signPart(_file, { key, uploadId, partNumber }) {
      uploaded.signatures += 1
      const part = { key, upload_id: uploadId, part_number: partNumber }
      const { put_url, headers } = await call<{ put_url: string; headers: Record<string, string> }>(
        'sign-part',
        part,
      )
      return { url: (await window.giveStaleAddress(put_url, partNumber)) ?? put_url, headers }
    },
    async completeMultipartUpload(_file, { key, uploadId, parts }) {
      uploaded.parts = parts.length
      const sent = parts.map(({ PartNumber, ETag }) => ({ part_number: PartNumber, etag: ETag }))
      const { url } = await call<{ url: string }>('complete', { key, upload_id: uploadId, parts: sent })
      uploaded.url = url
      return { location: url }
    },
    abortMultipartUpload: (_file, { key, uploadId }) => call('abort', { key, upload_id: uploadId ?? '' }),
  })
  uppy.addFile({ name: data.name, type: data.type, data })
  const result = await uppy.upload()
  const [failed] = result?.failed ?? []
  if (failed !== undefined) throw new Error(String(failed.error))
  return uploaded
}
