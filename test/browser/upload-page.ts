import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'

/** A page that uploads large files with Uppy's own S3 client, written the way a customer would write it. */
export interface Uploaded {
  url: string
  parts: number
  /** How many signed part URLs were requested. */
  signatures: number
}

declare global {
  interface Window {
    /** Provided by the test. Returns an expired URL for the part with this number, or null. */
    getExpiredUrl(put_url: string, part_number: number): Promise<string | null>
    uploadByParts(token: string): Promise<Uploaded>
  }
}

interface StartedUpload {
  upload_id: string
  key: string
  part_size: number
}

window.uploadByParts = async (token) => {
  const { files } = document.querySelector('input') as HTMLInputElement
  const data = files?.[0]
  if (data === undefined) throw new Error('No file was chosen.')
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
  const started = await call<StartedUpload>('create', file)
  const uploaded: Uploaded = { url: '', parts: 0, signatures: 0 }
  const uppy = new Uppy({ autoProceed: false }).use(AwsS3, {
    shouldUseMultipart: true,
    limit: 4,
    getChunkSize: () => started.part_size,
    createMultipartUpload: () => ({ uploadId: started.upload_id, key: started.key }),
    listParts: () => [],
    async signPart(_file, { key, uploadId, partNumber }) {
      uploaded.signatures += 1
      const part = { key, upload_id: uploadId, part_number: partNumber }
      const { put_url, headers } = await call<{ put_url: string; headers: Record<string, string> }>(
        'sign-part',
        part,
      )
      return { url: (await window.getExpiredUrl(put_url, partNumber)) ?? put_url, headers }
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
