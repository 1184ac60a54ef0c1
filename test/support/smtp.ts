import { once } from 'node:events'
import { type AddressInfo, createServer, connect as open, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { LOOPBACK } from '../../dev/system/ports.ts'
import type { Certificate } from './certificates.ts'

/**
 * TLS from the first byte, STARTTLS, or none. A server without security accepts emails and passwords in plaintext.
 */
export type Security = 'tls' | 'starttls' | 'none'

export interface MailServer {
  /** The logins and emails that the server received, decrypted. */
  logins: { user: string; password: string; secure: boolean }[]
  emails: { to: string[]; content: string; secure: boolean }[]
}

/**
 * Starts a recording proxy at a fixed address, behind which the mail server can be replaced. The proxy records what
 * clients send, which is what an eavesdropper could read. Without a server, it accepts connections but never
 * responds.
 */
export async function startMailProxy() {
  let target: SMTPServer | null = null
  let wires: Buffer[][] = []
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const wire: Buffer[] = []
    wires.push(wire)
    client.on('data', (bytes) => wire.push(bytes))
    const server = target && open(addressOf(target.server).port, LOOPBACK)
    for (const socket of server === null ? [client] : [client, server]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // Some tests disconnect clients on purpose.
      socket.on('error', () => {})
    }
    if (server === null) return
    client.pipe(server).on('close', () => client.destroy())
    server.pipe(client).on('close', () => server.destroy())
  })
  listener.listen(0, LOOPBACK)
  await once(listener, 'listening')
  return {
    port: addressOf(listener).port,
    /** Replaces the server and clears the recordings. */
    async use(security: Security, certificate: Certificate | null): Promise<MailServer> {
      await close(target)
      wires = []
      const { server, received } = makeServer(security, certificate)
      server.listen(0, LOOPBACK)
      await once(server.server, 'listening')
      target = server
      return received
    },
    /** Removes the server. Connections are accepted but get no response. */
    async stopResponding(): Promise<void> {
      await close(target)
      target = null
    },
    /** Returns what clients sent, grouped by connection. */
    recorded: () => wires.map((wire) => readWire(Buffer.concat(wire))),
    async stop(): Promise<void> {
      await close(target)
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Content types of TLS records: change cipher spec, alert, handshake, and application data. */
const RECORD_TYPES = [20, 21, 22, 23]

/** Separates TLS records from the plaintext around them. */
function readWire(wire: Buffer): { plain: string; encrypted: boolean } {
  let plain = ''
  let at = 0
  while (at < wire.length) {
    const isRecord = RECORD_TYPES.includes(wire[at] ?? 0) && wire[at + 1] === 3 && at + 5 <= wire.length
    const length = isRecord ? 5 + wire.readUInt16BE(at + 3) : 1
    if (!isRecord) plain += wire.toString('latin1', at, at + 1)
    at += length
  }
  return { plain, encrypted: wire.length > plain.length }
}

function addressOf(server: Server): AddressInfo {
  return server.address() as AddressInfo
}

function close(server: SMTPServer | null): Promise<void> {
  return new Promise((resolve) => (server === null ? resolve() : server.close(resolve)))
}

function makeServer(security: Security, certificate: Certificate | null) {
  const received: MailServer = { logins: [], emails: [] }
  const options: SMTPServerOptions = {
    ...certificate,
    secure: security === 'tls',
    // Accepts credentials without TLS, so tests catch clients that send them in plaintext.
    ...(security === 'none' && { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, { secure }, done) {
      received.logins.push({ user: username ?? '', password: password ?? '', secure })
      done(null, { user: username })
    },
    onData(stream, { envelope, secure }, done) {
      text(stream).then((content) => {
        received.emails.push({ to: envelope.rcptTo.map(({ address }) => address), content, secure })
        done()
      }, done)
    },
  }
  const server = new SMTPServer(options)
  // Clients that abort the handshake cause errors here. Some tests do that on purpose.
  server.on('error', () => {})
  return { server, received }
}
