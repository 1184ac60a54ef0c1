import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'

/** Longer responses are not from the edge. */
const ANSWER_LENGTH_MAX = 64 * 1024
/** Below the idle limits of servers and proxies, so a connection is rarely closed while a request is on its way. */
const IDLE_MS_MAX = 4000

const agents = {
  'http:': new PlainAgent({ keepAlive: true, timeout: IDLE_MS_MAX }),
  'https:': new SecureAgent({ keepAlive: true, timeout: IDLE_MS_MAX }),
}

interface Post {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/**
 * POSTs JSON over a connection that stays open, without the overhead of `fetch`. Follows no redirects. If an open
 * connection turns out to be closed, sends the request once more, so the receiver must accept repeats.
 */
export async function postJson(url: URL, post: Post): Promise<{ status: number; text: string }> {
  try {
    return await postOnce(url, post)
  } catch (error) {
    if (!(error instanceof ClosedConnection)) throw error
    return postOnce(url, post)
  }
}

/** Thrown if the server closed a kept connection before it received the request. */
class ClosedConnection extends Error {}

function postOnce(url: URL, { headers, body, signal }: Post): Promise<{ status: number; text: string }> {
  const is_secure = url.protocol === 'https:'
  const begin = is_secure ? secureRequest : plainRequest
  const agent = agents[is_secure ? 'https:' : 'http:']
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const sent = { ...headers, 'content-type': 'application/json', 'content-length': bytes.length }
    const outgoing = begin(url, { method: 'POST', headers: sent, agent, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > ANSWER_LENGTH_MAX) response.destroy(new Error('the response is too long'))
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const is_closed = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(is_closed ? new ClosedConnection(error.message) : error)
    })
    outgoing.end(bytes)
  })
}
