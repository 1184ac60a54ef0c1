import type { Endpoints } from '../generated/endpoints.ts'
import { openInput, type UploadFile } from './input.ts'
import type { Input, UploadOptions } from './options.ts'
import type { Platform } from './platform.ts'
import type { Transport } from './transport.ts'
import { uploadParts } from './upload-parts.ts'

const MEBIBYTE = 1024 ** 2
/** Larger files are sent in parts, which can be retried separately after a lost connection. */
const SINGLE_PUT_BYTES_MAX = 50 * MEBIBYTE
/** Size of the smallest part. A smaller file has nothing to continue from. */
const PART_BYTES_MIN = 5 * MEBIBYTE

export interface UploadContext {
  transport: Transport
  platform: Platform
  uploads: Endpoints['uploads']
}

export interface UploadedFile {
  /** URL that jobs accept as their input. */
  url: string
  key: string
}

/** Uploads an input directly to storage. Contract: Uploads, Direct upload; Upload in parts. */
export async function uploadInput(
  context: UploadContext,
  input: Input,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const file = await openInput(context.platform, input, options)
  const onBytes = (bytes: number) =>
    options.onProgress?.({ phase: 'uploading', fraction: file.blob.size === 0 ? 1 : bytes / file.blob.size })
  try {
    if (!options.handle) onBytes(0)
    const send = isSentInParts(file.blob, options) ? uploadParts : uploadWhole
    const { url, key } = await send(context, file, options, onBytes)
    onBytes(file.blob.size)
    return { url, key }
  } finally {
    await file.dispose?.()
  }
}

function isSentInParts({ size }: Blob, { handle, onHandle }: UploadOptions): boolean {
  if (handle) return true
  return size > (onHandle === undefined ? SINGLE_PUT_BYTES_MAX : PART_BYTES_MIN)
}

async function uploadWhole(
  { transport, platform, uploads }: UploadContext,
  { blob, filename, contentType }: UploadFile,
  { signal }: UploadOptions,
  onBytes: (bytes: number) => void,
): Promise<UploadedFile> {
  const request = { filename, content_type: contentType, size_bytes: blob.size }
  const presigned = await uploads.presign(request, { signal })
  const put = { blob, headers: presigned.headers, onBytes, signal }
  await transport.put(platform, presigned.put_url, put)
  return presigned
}
