import type { Client } from '../client.ts'

/** A submit and its answer. */
export interface Submitted {
  /** 0 without an answer. */
  status: number
  latency_ms: number
}

const SUBMISSION = {
  service_slug: 'image',
  operation_key: 'resize',
  params: { file_url: 'https://media.example.org/photo.jpg', width: 16 },
}

export async function submitOnce(client: Client): Promise<Submitted> {
  const started_at = performance.now()
  const status = await client.send('POST', '/api/v1/jobs', SUBMISSION).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  return { status, latency_ms: performance.now() - started_at }
}
