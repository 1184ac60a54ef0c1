import { createServer, type IncomingMessage } from 'node:http'
import { isSigned } from '../../shared/protocol/signature.ts'

/** What a test can make the fleet answer; "down" hangs up in the middle of the request. */
export type FleetMode = 'ok' | 'cache_down' | 'refusing' | 'down'

interface Theatre {
  mode: FleetMode
  requests: { path: string; body: unknown }[]
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
    const answer = (status: number, content: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    if (path === 'control') {
      if (request.method === 'PUT') theatre.mode = JSON.parse(body).mode
      return answer(200, theatre)
    }
    if (theatre.mode === 'down') return response.destroy()
    const headers = request.headers as Partial<Record<string, string>>
    if (!isSigned(fleetKeys, headers, body)) return answer(401, { detail: 'invalid signature' })
    theatre.requests.push({ path, body: body === '' ? null : JSON.parse(body) })
    if (theatre.mode === 'refusing') return answer(503, { detail: 'full' })
    if (path === 'ready') return answer(200, { cache: theatre.mode === 'cache_down' ? 'down' : 'ok' })
    return answer(202, { accepted: 1 })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
