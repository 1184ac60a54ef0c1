// Sends a file from the page to the service.

/** An error response with a text for the user. `status` 0: a network error. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {number} [retry_seconds]
   */
  constructor(status, message, retry_seconds = 5) {
    super(message)
    this.status = status
    this.retry_seconds = retry_seconds
  }
}

const OFFLINE = 'the connection was lost. Check that you are online, and try again'

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, OFFLINE)
  })
  const content = await response.json().catch(() => null)
  if (response.ok) return content
  throw new Refusal(response.status, detailOf(content), Number(response.headers.get('retry-after')) || 5)
}

/** @param {{detail?: unknown} | null} content */
function detailOf(content) {
  const detail = content?.detail
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail) && typeof detail[0]?.msg === 'string') return detail[0].msg
  const message = /** @type {{message?: unknown} | undefined} */ (detail)?.message
  return typeof message === 'string' && message !== ''
    ? message
    : 'something went wrong on our side. Try again later'
}

/**
 * Sends a body and reports its progress.
 * @param {{method: string, url: string, headers: Record<string, string>, body: File | FormData}} request
 * @param {(share: number) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<XMLHttpRequest>} the request with its response. Browsers hide most headers of storage.
 */
function transfer({ method, url, headers, body }, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => resolve(request)
    request.onerror = () => reject(new Refusal(0, OFFLINE))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/**
 * Sends a file: directly to storage, or through the service if storage is blocked. Throws Refusal, or the reason
 * of an aborted `signal`.
 * @param {string} path API path of the link
 * @param {{file: File, type: string, form_size_bytes_max: number}} what
 * @param {(share: number) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<{status: string, error: string | null} | null>} null: call `complete` next
 */
export async function sendFile(path, { file, type, form_size_bytes_max }, onProgress, signal) {
  const announced = { filename: file.name.slice(0, 255) || 'file', content_type: type, size_bytes: file.size }
  const { method, put_url, headers } = await call('POST', `${path}/presign`, announced)
  try {
    const { status } = await transfer({ method, url: put_url, headers, body: file }, onProgress, signal)
    if (status < 300) return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  if (file.size > form_size_bytes_max) throw new Refusal(0, OFFLINE)
  return sendForm(path, { file, type }, onProgress, signal)
}

/**
 * @param {string} path
 * @param {{file: File, type: string}} what
 * @param {(share: number) => void} onProgress
 * @param {AbortSignal} signal
 */
async function sendForm(path, { file, type }, onProgress, signal) {
  const body = new FormData()
  body.set('file', new File([file], file.name, { type }))
  const sent = { method: 'POST', url: `${path}/file`, headers: {}, body }
  const request = await transfer(sent, onProgress, signal)
  const { status } = request
  const content = parseJson(request.responseText)
  if (status < 300) return content
  // The file has arrived; only its job has to wait.
  if (status === 429) return null
  throw new Refusal(status, detailOf(content), Number(request.getResponseHeader('retry-after')) || 5)
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const PATIENCE_MS = 30 * 60 * 1000
/** Temporary statuses: network errors, rate limits, maintenance and restarts. */
const PASSING = [0, 429, 500, 502, 503, 504]

/**
 * Reports the upload as complete, and retries temporary errors.
 * @param {string} path
 * @param {(reason: string) => void} onWait
 * @returns {Promise<{status: string, error: string | null}>}
 */
export async function complete(path, onWait) {
  const begun = Date.now()
  for (;;) {
    try {
      return await call('POST', `${path}/complete`, {})
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The first response was lost, but the request succeeded.
      if (error.status === 409 || error.status === 402) return call('GET', `${path}/status`)
      if (!PASSING.includes(error.status) || Date.now() - begun > PATIENCE_MS) throw error
      onWait(error.message)
      await new Promise((resolve) => setTimeout(resolve, Math.min(error.retry_seconds, 60) * 1000))
    }
  }
}
