import { once } from 'node:events'
import { type AddressInfo, createServer, connect as open, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { LOOPBACK } from '../../dev/system/ports.ts'
import type { Certificate } from './certificates.ts'

/** TLS from the first byte, by STARTTLS, or none: such a server takes letters and passwords in plain text. */
export type Security = 'tls' | 'starttls' | 'none'

export interface MailServer {
  /** What it was told, decrypted. */
  logins: { user: string; password: string; secure: boolean }[]
  letters: { to: string[]; content: string; secure: boolean }[]
}

/**
 * A mail server that may be changed for another one, at one address, with somebody who listens on the wire
 * before it: what a client sends there is all that a stranger on the way can read. Silent at first.
 */
export async function startMailAddress() {
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
      // A client that goes away is what some tests want.
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
    /** From now on this server answers here. Forgets what was heard before. */
    async use(security: Security, certificate: Certificate | null): Promise<MailServer> {
      await close(target)
      wires = []
      const { server, told } = makeServer(security, certificate)
      server.listen(0, LOOPBACK)
      await once(server.server, 'listening')
      target = server
      return told
    },
    /** From now on connections are taken, and nobody says a word. */
    async fallSilent(): Promise<void> {
      await close(target)
      target = null
    },
    /** What clients sent, by connection. */
    heard: () => wires.map((wire) => readWire(Buffer.concat(wire))),
    async stop(): Promise<void> {
      await close(target)
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Change cipher, alert, handshake, data: what a record of TLS begins with. */
const RECORD_TYPES = [20, 21, 22, 23]

/** Tells the records of TLS from all that stands outside of them, which anybody can read. */
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
  const told: MailServer = { logins: [], letters: [] }
  const options: SMTPServerOptions = {
    ...certificate,
    secure: security === 'tls',
    // Nothing that TLS would protect is refused without it: who sends it in plain text is caught.
    ...(security === 'none' && { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, { secure }, done) {
      told.logins.push({ user: username ?? '', password: password ?? '', secure })
      done(null, { user: username })
    },
    onData(stream, { envelope, secure }, done) {
      text(stream).then((content) => {
        told.letters.push({ to: envelope.rcptTo.map(({ address }) => address), content, secure })
        done()
      }, done)
    },
  }
  const server = new SMTPServer(options)
  // Clients that turn away in the middle of a handshake are errors to it, and what the tests want.
  server.on('error', () => {})
  return { server, told }
}
