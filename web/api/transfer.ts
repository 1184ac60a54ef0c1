import { MediaError } from '../../client/src/index.ts'

interface Transfer {
  method: string
  url: string
  headers: Record<string, string>
  body: Blob | FormData
}

/**
 * Sends a body and reports the sent fraction, which `fetch` cannot do.
 * @returns the response, with any status
 * @throws MediaError `network_error`; the reason of the signal after an abort
 */
export function transfer(
  { method, url, headers, body }: Transfer,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    // A connection that is lost without an error would be waited for without end.
    const stall = watchForStall(() => {
      reject(new MediaError('The connection has stalled.', { code: 'network_error' }))
      request.abort()
    })
    request.upload.onprogress = ({ loaded, total }) => {
      stall.restart()
      onProgress(total === 0 ? 0 : loaded / total)
    }
    request.onloadend = () => stall.stop()
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new MediaError('The connection failed.', { code: 'network_error' }))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/** Longer than storage takes to confirm a large file. */
const STALL_MS = 120_000

/** Calls back once a transfer has made no progress for a while. */
function watchForStall(onStall: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    timer = setTimeout(onStall, STALL_MS)
  }
  restart()
  return { restart, stop }
}

function responseOf(request: XMLHttpRequest): Response {
  // Asking for a header that storage does not share would be reported as an error.
  const [, retry_after] = /^retry-after: (.*)$/im.exec(request.getAllResponseHeaders()) ?? []
  return new Response(request.responseText || null, {
    status: request.status,
    headers: retry_after === undefined ? {} : { 'retry-after': retry_after },
  })
}
