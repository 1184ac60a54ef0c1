import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Env } from '../env.ts'
import type { RenderedEmail } from './rules/email.ts'

export interface Mailer {
  /**
   * Sends an email through the mail server; throws if the server does not accept it.
   * @param id the same for every attempt, so duplicates can be recognized.
   */
  send(id: string, to: string, email: RenderedEmail): Promise<void>
}

/**
 * Creates a mailer.
 * @returns null if no mail server is configured.
 */
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
    // Name used in the EHLO greeting. The Worker's own host name is localhost, which some servers reject.
    name,
    getSocket: (_options: unknown, answer: SocketAnswer) => {
      openSocket({ host: SMTP_HOST, port, secured, timeout_ms }).then(
        (connection) => answer(null, { connection, secured }),
        (error) => answer(error, false),
      )
    },
    secure: secured,
    // If TLS is unavailable or an attacker strips STARTTLS, neither the password nor the email is sent.
    requireTLS: SMTP_SECURE === 'starttls',
    ignoreTLS: SMTP_SECURE === 'none',
    ...(SMTP_USER === undefined ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD ?? '' } }),
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    // Email content is only data: the library must not read files or fetch URLs for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send(id, to, { subject, text, html, unsubscribe_url }) {
      // Opens one connection per email, because requests in a Worker cannot share sockets.
      const transport = createTransport(options)
      try {
        await transport.sendMail({
          from: MAIL_FROM,
          // Passed as an object, so the address is never split into several.
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

/** Adds the headers for one-click unsubscribe (RFC 8058). */
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
 * Connects to a host by name, with implicit TLS or STARTTLS. The library would resolve the name first. A Worker
 * would then verify the certificate against the IP address and reject every server. Throws if the host is
 * unreachable or its certificate is for a different name.
 */
async function openSocket({ host, port, secured, timeout_ms }: MailServer): Promise<Socket> {
  const socket = secured ? connectSecurely({ host, port, servername: host }) : connect({ host, port })
  try {
    // Uses a separate timer, because the socket timeout does not end a TLS handshake that gets no response.
    await once(socket, secured ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeout_ms) })
    return socket
  } catch (error) {
    // An abandoned connection can fail again, and nothing else handles that error.
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}
