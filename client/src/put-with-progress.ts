import type { PutRequest } from './platform.ts'

/** Sends a PUT by XMLHttpRequest, because fetch does not report upload progress in all browsers. */
export function putWithProgress(
  url: string,
  { blob, headers, onBytes, signal }: PutRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onloadstart = () => onBytes(0)
    request.upload.onprogress = ({ loaded }) => onBytes(loaded)
    request.onload = () => resolve(toResponse(request))
    request.onerror = () => reject(new TypeError('The browser could not send the file.'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(blob)
  })
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n').filter(Boolean)
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name, value.join(':').trim()]
  })
  // A response without content, such as 204, must not have a body.
  return new Response(request.responseText || null, { status: request.status, headers })
}
