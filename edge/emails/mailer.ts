import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Env } from '../env.ts'
import type { Letter } from './rules/email.ts'

export interface Mailer {
  /**
   * Hands a letter to the mail server; throws when it was not taken.
   * @param id the same at every attempt, so that a letter sent twice can be told for one.
   */
  send(id: string, to: string, letter: Letter): Promise<void>
}

/** @returns null where no mail server is configured. */
export function openMailer(env: Env): Mailer | null {
  const { SMTP_HOST, SMTP_PORT, SMTP_SECURE, SMTP_USER, SMTP_PASSWORD, MAIL_FROM } = env
  if (SMTP_HOST === undefined) return null
  const timeout_ms = env.SMTP_TIMEOUT_SECONDS * 1000
  const port = SMTP_PORT ?? (SMTP_SECURE === 'tls' ? 465 : 587)
  const secured = SMTP_SECURE === 'tls'
  const name = new URL(env.PUBLIC_URL).hostname
  const options = {
    host: SMTP_HOST,
    port,
    // What it greets the server by: a Worker's own host name is localhost, which some servers turn away.
    name,
    getSocket: (_options: unknown, answer: SocketAnswer) => {
      openSocket({ host: SMTP_HOST, port, secured, timeout_ms }).then(
        (connection) => answer(null, { connection, secured }),
        (error) => answer(error, false),
      )
    },
    secure: secured,
    // A server that offers no TLS, or a stranger who hides its offer, gets neither password nor letter.
    requireTLS: SMTP_SECURE === 'starttls',
    ignoreTLS: SMTP_SECURE === 'none',
    ...(SMTP_USER === undefined ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD ?? '' } }),
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    // What a letter holds is text of ours: nothing in it may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send(id, to, { subject, text, html, unsubscribe_url }) {
      // One connection for each letter: requests of a Worker share no sockets.
      const transport = createTransport(options)
      try {
        await transport.sendMail({
          from: MAIL_FROM,
          // As an object: an address is never taken apart into several.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${name}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe_url) },
        })
      } finally {
        transport.close()
      }
    },
  }
}

/** RFC 8058: a mail program ends these emails by one click, without opening a page. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

type SocketAnswer = (error: Error | null, socket: { connection: Socket; secured: boolean } | false) => void

interface MailServer {
  host: string
  port: number
  secured: boolean
  timeout_ms: number
}

/**
 * A connection to a server by its name, with TLS from the first byte or by STARTTLS later. Left to itself the
 * library looks the address up and connects to that: with TLS a Worker then compares the certificate to the
 * address, and refuses every server. Throws where nobody answers, or with a certificate for another name.
 */
async function openSocket({ host, port, secured, timeout_ms }: MailServer): Promise<Socket> {
  const socket = secured ? connectSecurely({ host, port, servername: host }) : connect({ host, port })
  try {
    // A timer of its own: the socket's does not end a handshake that the server leaves unanswered.
    await once(socket, secured ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeout_ms) })
    return socket
  } catch (error) {
    // What is given up may fail once more, and nobody is left to hear of it.
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}
