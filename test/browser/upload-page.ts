import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import GoldenRetriever from '@uppy/golden-retriever'

/**
 * A customer's page that uploads large files with Uppy, as shown in the contract (Uploads, Uploads with S3 clients).
 */
export interface PageState {
  /** Numbers of the parts that this page has sent. */
  parts: number[]
  is_restored: boolean
  /** The file as `params.file_url` of a job; null until it is uploaded. */
  file_url: string | null
  error: string | null
}

declare global {
  interface Window {
    page: PageState & {
      /** Adds the chosen file and uploads it, or resumes its upload after a reload. */
      send(type?: string): Promise<void>
      /** Pauses the upload once this page has sent the given number of parts. */
      pauseAfter(parts: number): void
    }
  }
}

let file_url = ''
/**
 * Signer of requests: the API, with a credential of the user, or the customer's own server, which adds its API key and
 * forwards the request.
 */
const signing = JSON.parse(document.documentElement.dataset.signing ?? '') as {
  url: string
  headers: Record<string, string>
}

const uppy = new Uppy()
  .use(AwsS3, {
    shouldUseMultipart: true,
    generateObjectKey: (file) => file.id,
    async signRequest(request) {
      const { method, key, uploadId, partNumber } = { uploadId: undefined, partNumber: undefined, ...request }
      const { name: filename, type: content_type, size: size_bytes } = uppy.getFile(key) ?? {}
      const file = { filename, content_type, size_bytes }
      const body = { method, key, upload_id: uploadId, part_number: partNumber, ...file }
      const response = await fetch(signing.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signing.headers },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(await response.text())
      const signed = await response.json()
      file_url = signed.file_url
      return signed
    },
  })
  .use(GoldenRetriever)

let partsBeforePause = Number.POSITIVE_INFINITY
uppy.on('restored', () => {
  window.page.is_restored = true
})
uppy.on('s3-multipart:part-uploaded', (_file, { PartNumber }) => {
  window.page.parts.push(PartNumber)
  if (window.page.parts.length >= partsBeforePause) uppy.pauseAll()
})
uppy.on('upload-error', (_file, error) => {
  window.page.error = error.message
})
uppy.on('upload-success', () => {
  window.page.file_url = file_url
})

window.page = {
  parts: [],
  is_restored: false,
  file_url: null,
  error: null,
  async send(type) {
    const { files } = document.querySelector('input') as HTMLInputElement
    const data = files?.[0]
    if (data === undefined) throw new Error('No file was chosen.')
    uppy.addFile({ name: data.name, type: type ?? data.type, data })
    if (window.page.is_restored) uppy.emit('restore-confirmed')
    else void uppy.upload()
  },
  pauseAfter(parts) {
    partsBeforePause = parts
  },
}
