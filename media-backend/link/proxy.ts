import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { hostOf, isPublicHost, isWebPort } from '../../shared/addresses.ts'
import { guardOf, isRefusedAddress } from '../runtime/address-guard.ts'

const SILENCE_MS_MAX = 60_000
const HOP_HEADERS = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade']

export interface LinkProxy {
  url: string
  port: number
  /** Hosts that the proxy refused. */
  refused: Set<string>
  /** Returns true once the byte limit is exceeded; all connections are then closed. */
  exceeded(): boolean
  close(): Promise<void>
}

interface ProxyLimits {
  /** Disables the address guard for tests. */
  allow_private: boolean
  bytes_max: number
  /** A "host:port" that is always allowed, for tests of the guard. */
  exception?: string
}

/**
 * Starts a loopback proxy, the only way out for a program that resolves names itself. Checks the target of each
 * request and tunnel, connects to the address it checked, and closes all connections after bytes_max bytes.
 */
export async function startProxy(limits: ProxyLimits): Promise<LinkProxy> {
  const sockets = new Set<Socket>()
  const refused = new Set<string>()
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limits.bytes_max) for (const socket of sockets) socket.destroy()
  }
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const isOpen = (host: string, port: number) => {
    const is_open =
      bytes <= limits.bytes_max &&
      (limits.allow_private || `${host}:${port}` === limits.exception || isAllowed(host, port))
    if (!is_open) refused.add(host)
    return is_open
  }
  const note = (host: string) => (error: NodeJS.ErrnoException) => {
    if (isRefusedAddress(error)) refused.add(host)
  }
  const { lookup } = guardOf(limits.allow_private)

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '')
    const host = hostOf(url?.hostname ?? '')
    const port = Number(url?.port === '' ? 80 : url?.port)
    if (url?.protocol !== 'http:' || !isOpen(host, port)) return refuse(response)
    const options = { method: request.method, headers: forwarded(request), lookup, agent: false }
    const outgoing = httpRequest(url, options, (answer) => {
      answer.on('data', count)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('socket', track)
    outgoing.on('error', (error) => {
      note(host)(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
    request.pipe(outgoing)
  })
  server.on('connection', track)
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const url = URL.parse(`tunnel://${request.url ?? ''}`)
    const host = hostOf(url?.hostname ?? '')
    const port = Number(url?.port ?? '')
    if (!isOpen(host, port)) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const target = connect({ host, port, lookup, autoSelectFamily: true })
    track(target)
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.on('data', count)
      target.pipe(client)
      client.pipe(target)
    })
    target.on('error', note(host))
    target.once('close', () => client.destroy())
    client.once('close', () => target.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    refused,
    exceeded: () => bytes > limits.bytes_max,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Checks the text of a host. The addresses of a name are checked when connecting. */
function isAllowed(host: string, port: number): boolean {
  return isWebPort(port) && isPublicHost(host)
}

function forwarded({ headers }: IncomingMessage): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)))
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain' }).end('The address is not public.\n')
}
