/** Page of another origin that calls the API with a key of its user. */
export interface CallingPage {
  /** Uploads an image, submits a job, follows its events, and reads a part of the result. */
  processImage(api_url: string, key: string): Promise<ProcessedImage>
  /** Returns the status of a response, or the name of the error if the browser blocks access to it. */
  tryFetch(url: string, init: RequestInit): Promise<number | string>
}

export interface ProcessedImage {
  statuses: number[]
  request_id: string | null
  job_status: string
  is_end_streamed: boolean
  part_bytes: number
}

declare global {
  interface Window {
    calls: CallingPage
  }
}

async function makeImage(): Promise<File> {
  const canvas = new OffscreenCanvas(32, 32)
  canvas.getContext('2d')?.fillRect(0, 0, 32, 32)
  return new File([await canvas.convertToBlob()], 'dot.png', { type: 'image/png' })
}

window.calls = {
  async processImage(api_url, key) {
    const headers = { authorization: `Bearer ${key}` }
    const form = new FormData()
    form.append('file', await makeImage())
    const uploaded = await fetch(`${api_url}/api/v1/uploads`, { method: 'POST', headers, body: form })
    const { url: file_url } = await uploaded.json()
    const job = { service_slug: 'image', operation_key: 'resize', params: { width: 16, file_url } }
    const submitted = await fetch(`${api_url}/api/v1/jobs/api`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(job),
    })
    const { id } = await submitted.json()
    const events = await fetch(`${api_url}/api/v1/jobs/${id}/events`, { headers })
    const streamed = await events.text()
    const { status, result } = await (await fetch(`${api_url}/api/v1/jobs/${id}`, { headers })).json()
    const part = await fetch(result.url, { headers: { range: 'bytes=0-3' } })
    return {
      statuses: [uploaded.status, submitted.status, events.status, part.status],
      request_id: submitted.headers.get('x-request-id'),
      job_status: status,
      is_end_streamed: streamed.includes('"done"'),
      part_bytes: (await part.arrayBuffer()).byteLength,
    }
  },

  async tryFetch(url, init) {
    try {
      return (await fetch(url, init)).status
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown'
    }
  },
}
