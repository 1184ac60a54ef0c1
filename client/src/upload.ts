import type { Endpoints } from '../generated/endpoints.ts'
import { openInput, type UploadFile } from './input.ts'
import type { Input, UploadOptions } from './options.ts'
import type { Platform } from './platform.ts'
import type { Transport } from './transport.ts'
import { uploadParts } from './upload-parts.ts'

/** Larger files are sent in parts, which can be retried separately after a lost connection. */
const SINGLE_PUT_BYTES_MAX = 50 * 1024 ** 2

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
    onBytes(0)
    const send = file.blob.size > SINGLE_PUT_BYTES_MAX ? uploadParts : uploadWhole
    const { url, key } = await send(context, file, options.signal, onBytes)
    onBytes(file.blob.size)
    return { url, key }
  } finally {
    await file.dispose?.()
  }
}

async function uploadWhole(
  { transport, platform, uploads }: UploadContext,
  { blob, filename, contentType }: UploadFile,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<UploadedFile> {
  const request = { filename, content_type: contentType, size_bytes: blob.size }
  const presigned = await uploads.presign(request, { signal })
  const makeInit = () => withHeaders(platform.uploadBody(blob, onBytes), presigned.headers)
  await discard(await transport.transfer(presigned.put_url, makeInit, { signal }))
  return presigned
}

/** Returns the request of a PUT to storage with the signed headers in addition to its own. */
export function withHeaders(init: RequestInit, headers: object): RequestInit {
  return { ...init, method: 'PUT', headers: { ...(init.headers as object), ...headers } as HeadersInit }
}

/** Frees the connection of a response whose body is not needed. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel()
}
