import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type CorsRule, corsHeaders, preflightHeaders } from './cors.ts'
import { createPartList } from './part-list.ts'
import { type Credentials, isSignedUrl } from './signed-url.ts'

export interface LocalStorageOptions {
  /** Origin of the local R2, which shares the edge's port. */
  target: string
  credentials: Credentials
  rule: CorsRule
}

/**
 * Creates a proxy in front of the S3 endpoint of the local R2. The proxy adds two features that the local R2 lacks: the
 * CORS rule of the bucket, and ListParts. The local R2 checks signatures, so the proxy forwards the Host header
 * unchanged.
 */
export function createLocalStorage({ target, credentials, rule }: LocalStorageOptions): Server {
  const parts = createPartList()
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`)
    const uploadId = url.searchParams.get('uploadId')
    if (url.pathname === '/health') {
      response.end('ok')
    } else if (uploadId === null) {
      forward(target, incoming, response)
    } else if (incoming.method === 'GET') {
      const isSigned = await isSignedUrl('GET', url, credentials, Date.now())
      response.writeHead(isSigned ? 200 : 403, { 'content-type': 'application/xml' })
      response.end(isSigned ? parts.describe({ path: url.pathname, uploadId }) : FORBIDDEN)
    } else {
      forward(target, incoming, response, (stored) => {
        const isPart = incoming.method === 'PUT' && stored.statusCode === 200
        if (isPart) parts.add({ path: url.pathname, uploadId }, readPart(url, incoming, stored))
      })
    }
  }
  // A slow upload may take hours.
  return createServer({ requestTimeout: 0 }, (incoming, response) => {
    const { origin } = incoming.headers
    if (origin === undefined) return answer(incoming, response)
    if (incoming.method === 'OPTIONS') return answerPreflight(rule, incoming, response)
    for (const [name, value] of Object.entries(corsHeaders(rule, origin))) response.setHeader(name, value)
    return answer(incoming, response)
  })
}

const FORBIDDEN = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SignatureDoesNotMatch</Code></Error>'

function readPart({ searchParams }: URL, { headers }: IncomingMessage, stored: IncomingMessage) {
  const number = Number(searchParams.get('partNumber'))
  return { number, etag: stored.headers.etag ?? '', size_bytes: Number(headers['content-length']) }
}

function answerPreflight(rule: CorsRule, { headers }: IncomingMessage, response: ServerResponse): void {
  const requested = headers['access-control-request-headers'] ?? ''
  const allowed = preflightHeaders(rule, {
    origin: headers.origin ?? '',
    method: headers['access-control-request-method'] ?? '',
    headers: requested
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  })
  response.writeHead(allowed === null ? 403 : 204, allowed ?? {}).end()
}

/** Matches headers that the CORS rule of the bucket sets in place of the local R2. */
const isCors = (name: string) => name.startsWith('access-control-')

function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  onAnswer: (answer: IncomingMessage) => void = () => {},
): void {
  const { method, headers } = incoming
  // The local R2 closes a connection after a refusal, so connections are not reused.
  const outgoing = request(`${target}${incoming.url}`, { method, headers, agent: false })
  // The local R2 may refuse a request before it has read the body. The rest is dropped, and the connection closed.
  const stopReading = () => incoming.unpipe(outgoing).resume()
  outgoing.on('response', (answer) => {
    onAnswer(answer)
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !isCors(name)) response.setHeader(name, value)
    if (!incoming.complete) response.setHeader('connection', 'close')
    response.writeHead(answer.statusCode ?? 502)
    answer.pipe(response)
    answer.on('end', stopReading)
  })
  outgoing.on('error', () => {
    stopReading()
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { connection: 'close' }).end()
  })
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
