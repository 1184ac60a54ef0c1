import { createServer, type IncomingMessage } from 'node:http'
import { isSigned } from '../../shared/protocol/signature.ts'

/** What a test can make the fleet do; "down" hangs up in the middle of the request. */
export type FleetMode = 'ok' | 'cache_down' | 'refusing' | 'down'

interface Theatre {
  mode: FleetMode
  requests: { path: string; body: unknown }[]
}

interface Answer {
  status: number
  content: unknown
}

/**
 * A fleet for faults alone: a real HTTP server that checks signatures, remembers what it was sent and
 * answers as told. Each test has a theatre of its own, the first part of the path.
 * GET and PUT `/{theatre}/control` read what came and set the mode; the rest is the fleet's own interface.
 */
export async function startFakeFleet(fleetKeys: string[], port: number): Promise<() => Promise<void>> {
  const theatres = new Map<string, Theatre>()
  const server = createServer(async (request, response) => {
    const [, name = '', path = ''] = (request.url ?? '').split('/')
    const theatre = theatres.get(name) ?? { mode: 'ok', requests: [] }
    theatres.set(name, theatre)
    const body = await readBody(request)
    const answer =
      path === 'control' ? control(theatre, body) : play(theatre, path, body, request.headers, fleetKeys)
    if (answer === null) return response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    return response.end(JSON.stringify(answer.content))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

function control(theatre: Theatre, body: string): Answer {
  if (body !== '') theatre.mode = JSON.parse(body).mode
  return { status: 200, content: theatre }
}

/** @returns null to hang up. */
function play(
  theatre: Theatre,
  path: string,
  body: string,
  headers: IncomingMessage['headers'],
  fleetKeys: string[],
): Answer | null {
  if (theatre.mode === 'down') return null
  if (!isSigned(fleetKeys, headers as Partial<Record<string, string>>, body))
    return { status: 401, content: { detail: 'invalid signature' } }
  theatre.requests.push({ path, body: body === '' ? null : JSON.parse(body) })
  if (theatre.mode === 'refusing') return { status: 503, content: { detail: 'full' } }
  if (path !== 'ready') return { status: 202, content: { accepted: 1 } }
  return { status: 200, content: { cache: theatre.mode === 'cache_down' ? 'down' : 'ok' } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
