import type { PutRequest } from './platform.ts'

/**
 * Ends an upload of which no byte was sent for a while, so that it can be retried. The time starts at the first report
 * of progress, because not every runtime reports it.
 */
export async function endIfStalled<Answer>(
  stall_ms: number,
  { signal, onBytes, ...request }: PutRequest,
  send: (request: PutRequest) => Promise<Answer>,
): Promise<Answer> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(new DOMException('The upload stalled.', 'TimeoutError')), stall_ms)
  }
  const watched: PutRequest = {
    ...request,
    signal: signal === undefined ? stalled.signal : AbortSignal.any([signal, stalled.signal]),
    onBytes: (bytes) => {
      restart()
      onBytes(bytes)
    },
  }
  try {
    return await send(watched)
  } finally {
    clearTimeout(timer)
  }
}
