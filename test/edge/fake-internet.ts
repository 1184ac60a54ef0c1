import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received, ReceiverMode } from './worker/receivers.ts'

interface Receiver {
  mode: ReceiverMode
  received: Received[]
  /** Requests that have no response yet. They are held until the mode changes. */
  pending: ServerResponse[]
}

const NO_ERROR = 0
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3
const RECORD_TYPES: Record<string, number> = { A: 1, MX: 15, AAAA: 28 }

/** Names with special records; all other names resolve to a public address. */
const NAMES: Record<string, { status: number; A?: string[]; AAAA?: string[]; MX?: string[] }> = {
  'private.example.org': { status: NO_ERROR, A: ['10.0.0.5'] },
  'mixed.example.org': { status: NO_ERROR, A: ['93.184.215.14'], AAAA: ['fd00::5'] },
  'nowhere.example.org': { status: NO_SUCH_NAME },
  'empty.example.org': { status: NO_ERROR },
  'broken.example.org': { status: SERVER_FAILURE },
  'mail.example.org': { status: NO_ERROR, MX: ['10 mx.example.org.'] },
  'no-mail.example.org': { status: NO_ERROR, A: ['93.184.215.14'], MX: ['0 .'] },
}
const PUBLIC = { status: NO_ERROR, A: ['93.184.215.14'] }

/**
 * Starts the external services that the edge calls: a DNS resolver at `/dns` (DNS over HTTPS in JSON), captcha
 * verification at `/captcha`, and webhook receivers at `/{name}/hook`. `/{name}/control` sets how a receiver
 * responds and returns the requests it has received.
 */
export async function startFakeInternet(): Promise<{ url: string; stop: () => Promise<void> }> {
  const receivers = new Map<string, Receiver>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = await readBody(request)
    if (url.pathname === '/dns') return answer(response, 200, resolve(url.searchParams))
    if (url.pathname === '/captcha') return verifyCaptcha(response, new URLSearchParams(body))
    const [, name = '', path] = url.pathname.split('/')
    const receiver = receivers.get(name) ?? { mode: { status: 204 }, received: [], pending: [] }
    receivers.set(name, receiver)
    if (path !== 'control') return receive(receiver, request, body, response)
    if (body !== '') {
      receiver.mode = JSON.parse(body)
      for (const pending of receiver.pending.splice(0)) respond(receiver, pending)
    }
    return answer(response, 200, { received: receiver.received })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(content))
}

function resolve(query: URLSearchParams) {
  const type = query.get('type') ?? ''
  const found: { status: number; [type: string]: string[] | number | undefined } =
    NAMES[query.get('name') ?? ''] ?? PUBLIC
  const data = found[type]
  const records = Array.isArray(data) ? data : []
  return {
    Status: found.status,
    Answer: records.map((record) => ({ type: RECORD_TYPES[type], data: record })),
  }
}

/**
 * Imitates Turnstile's siteverify. The token itself indicates whether it is valid, and for what: `solved`, `solved:login`,
 * or `solved:login:phishing.example`.
 */
function verifyCaptcha(response: ServerResponse, form: URLSearchParams): void {
  const [word, action = 'register', hostname = '127.0.0.1'] = (form.get('response') ?? '').split(':')
  const success = form.get('secret') === 'captcha-secret' && word === 'solved'
  const status = word === 'out-of-order' ? 500 : 200
  answer(
    response,
    status,
    success ? { success, action, hostname } : { success, 'error-codes': ['invalid-input-response'] },
  )
}

function receive(receiver: Receiver, request: IncomingMessage, body: string, response: ServerResponse): void {
  receiver.received.push({ headers: request.headers as Record<string, string>, body })
  respond(receiver, response)
}

function respond({ mode, pending }: Receiver, response: ServerResponse): void {
  if (mode === 'silent') {
    pending.push(response)
    return
  }
  if (mode === 'hang_up') {
    response.destroy()
    return
  }
  response.writeHead(mode.status, mode.location === undefined ? {} : { location: mode.location })
  response.end(mode.body)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
