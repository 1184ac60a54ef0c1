import type { Client } from '../client.ts'

/** A submit and its answer. */
export interface Submitted {
  /** 0 without an answer. */
  status: number
  latency_ms: number
  /** Value of Retry-After; null without one. */
  retry_after_seconds: number | null
}

const SUBMISSION = {
  service_slug: 'image',
  operation_key: 'resize',
  params: { file_url: 'https://media.example.org/photo.jpg', width: 16 },
}

export async function submitOnce(client: Client): Promise<Submitted> {
  const started_at = performance.now()
  const answer = await client.send('POST', '/api/v1/jobs', SUBMISSION).then(
    async (response) => {
      await response.arrayBuffer()
      const seconds = response.headers.get('retry-after')
      return { status: response.status, retry_after_seconds: seconds === null ? null : Number(seconds) }
    },
    () => ({ status: 0, retry_after_seconds: null }),
  )
  return { ...answer, latency_ms: performance.now() - started_at }
}
