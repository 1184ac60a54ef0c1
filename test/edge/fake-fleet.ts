import { createServer, type IncomingMessage } from 'node:http'
import { isSigned } from '../../shared/protocol/signature.ts'

/**
 * How the fleet responds. `down` closes the connection during the request. `outdated` cannot read dispatches of the
 * operation `newer`; `older` cannot either, and then refuses the whole batch.
 */
export type FleetMode = 'ok' | 'cache_down' | 'refusing' | 'down' | 'outdated' | 'older'

interface FleetScope {
  mode: FleetMode
  requests: { path: string; body: unknown }[]
}

interface Answer {
  status: number
  content: unknown
}

/**
 * Starts a fake fleet: an HTTP server that verifies signatures, records requests, and responds according to its
 * mode. The first path segment is a scope, which isolates each test's requests and mode. `GET /{scope}/control`
 * returns them, and `PUT` sets the mode. All other paths belong to the fleet's interface.
 */
export async function startFakeFleet(fleetKeys: string[], port: number): Promise<() => Promise<void>> {
  const scopes = new Map<string, FleetScope>()
  const server = createServer(async (request, response) => {
    const [, name = '', path = ''] = (request.url ?? '').split('/')
    const scope = scopes.get(name) ?? { mode: 'ok', requests: [] }
    scopes.set(name, scope)
    const body = await readBody(request)
    const answer = path === 'control' ? control(scope, body) : respond(scope, path, body, request, fleetKeys)
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

function control(scope: FleetScope, body: string): Answer {
  if (body !== '') scope.mode = JSON.parse(body).mode
  return { status: 200, content: scope }
}

/** @returns null to close the connection without a response */
function respond(
  scope: FleetScope,
  path: string,
  body: string,
  { method = '', headers }: IncomingMessage,
  fleetKeys: string[],
): Answer | null {
  if (scope.mode === 'down') return null
  const signed = { to: 'fleet', method, path: `/${path}` } as const
  if (!isSigned(fleetKeys, signed, headers as Partial<Record<string, string>>, body))
    return { status: 401, content: { detail: 'invalid signature' } }
  const json = body === '' ? null : JSON.parse(body)
  scope.requests.push({ path, body: json })
  if (scope.mode === 'refusing') return { status: 503, content: { detail: 'full' } }
  const refused = path === 'jobs' ? findNewer(json.jobs) : []
  if (scope.mode === 'outdated' && refused.length > 0) return { status: 422, content: { refused } }
  if (scope.mode === 'older' && refused.length > 0) return { status: 422, content: { detail: 'no batch' } }
  if (path !== 'ready') return { status: 202, content: { accepted: 1 } }
  return { status: 200, content: { cache: scope.mode === 'cache_down' ? 'down' : 'ok' } }
}

function findNewer(jobs: { operation_key: string }[]): number[] {
  return jobs.flatMap(({ operation_key }, position) => (operation_key === 'newer' ? [position] : []))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
