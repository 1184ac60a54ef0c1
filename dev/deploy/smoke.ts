import { Media } from '../../client/node/index.ts'

/** A 1x1 PNG. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Runs one job on a deployment by the client: readiness, upload, dispatch, processing, storage and download.
 * @throws if a step fails or the result is not the requested image
 */
export async function runSmokeJob(apiUrl: string, apiKey: string): Promise<void> {
  const ready = await fetch(`${apiUrl}/api/ready`, { signal: AbortSignal.timeout(10_000) })
  if (!ready.ok) throw new Error(`/api/ready returned ${ready.status}: ${await ready.text()}`)
  const media = new Media({ apiUrl, apiKey })
  const result = await media.image.convert(
    new File([PIXEL], 'smoke.png', { type: 'image/png' }),
    { format: 'webp' },
    { signal: AbortSignal.timeout(60_000) },
  )
  const bytes = new Uint8Array(await (await result.blob()).arrayBuffer())
  const type = new TextDecoder().decode(bytes.subarray(8, 12))
  if (type !== 'WEBP') throw new Error('The result of the smoke job is not a WebP image.')
}
