/** @module-tag extended */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAccount } from '../support/accounts.ts'
import { makeAuthority } from '../support/certificates.ts'
import { countEffects, resendAllEffects } from '../support/inside.ts'
import { useOwnSystem, waitForLog } from '../support/own-system.ts'
import { startMailProxy } from '../support/smtp.ts'

const USER = 'mailer'
const PASSWORD = 'a-password-of-the-mail-server'

/** The only plaintext that an eavesdropper may see. */
const PLAIN = { tls: '', starttls: expect.stringMatching(/^EHLO \S+\r\nSTARTTLS\r\n$/) }

const folder = mkdtempSync(join(tmpdir(), 'emails-tls-'))
const trusted = makeAuthority(folder, 'trusted')
const unknown = makeAuthority(folder, 'unknown')
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['tls', 'starttls'] as const)('emails over %s', (security) => {
  let mail: Awaited<ReturnType<typeof startMailProxy>>
  afterAll(() => mail.stop())
  const system = useOwnSystem(async () => {
    mail = await startMailProxy()
    // The edge inherits this variable and trusts this authority in addition to the public ones.
    vi.stubEnv('NODE_EXTRA_CA_CERTS', trusted.file)
    return {
      edge: {
        SMTP_HOST: 'localhost',
        SMTP_PORT: String(mail.port),
        SMTP_SECURE: security,
        SMTP_USER: USER,
        SMTP_PASSWORD: PASSWORD,
        SMTP_TIMEOUT_SECONDS: '3',
      },
    }
  })
  beforeAll(() => void vi.unstubAllEnvs())

  test('the code arrives, and neither it nor the password is readable on the wire', async () => {
    const server = await mail.use(security, trusted.issue('localhost'))
    const { client, credentials } = await openAccount(system().api_url)
    const sent = await client.send('POST', '/api/v1/auth/email/send-code')
    expect(sent.status).toBe(200)
    await expect.poll(() => server.emails.length).toBe(1)
    expect(server.logins).toEqual([{ user: USER, password: PASSWORD, secure: true }])
    expect(server.emails).toMatchObject([{ to: [credentials.email], secure: true }])
    const [, code = ''] = /^Subject: (\d{6}) is your/m.exec(server.emails[0]?.content ?? '') ?? []
    expect(mail.recorded()).toEqual([{ plain: PLAIN[security], encrypted: true }])
    const answer = await client.send('POST', '/api/v1/auth/email/verify', { code })
    expect(answer.status).toBe(200)
    await expect.poll(() => countEffects(system())).toBe(0)
  })

  test.each([
    ['with an untrusted certificate', security, unknown.issue('localhost')],
    ['with a certificate for another name', security, trusted.issue('mail.example.com')],
    ['without TLS', 'none', null],
  ] as const)(
    'a server %s gets neither login nor email; the email waits for a trusted server',
    async (_what, offers, own) => {
      const server = await mail.use(offers, own)
      const { client, credentials } = await openAccount(system().api_url)
      const send = () => client.send('POST', '/api/v1/auth/email/send-code')
      await waitForLog(system(), 'edge', 'deferred work', send)
      await resendAllEffects(system())
      expect(await countEffects(system())).toBe(1)
      const recorded = { plain: PLAIN[security], encrypted: security === 'tls' || own !== null }
      expect(mail.recorded()).toEqual([recorded, recorded])
      expect(server).toEqual({ logins: [], emails: [] })
      const trustedServer = await mail.use(security, trusted.issue('localhost'))
      await resendAllEffects(system())
      expect(trustedServer.emails).toMatchObject([{ to: [credentials.email] }])
      expect(await countEffects(system())).toBe(0)
    },
  )

  test('the edge times out on a silent server and keeps the email for later', async () => {
    await mail.stopResponding()
    const { client } = await openAccount(system().api_url)
    const send = () => client.send('POST', '/api/v1/auth/email/send-code')
    await waitForLog(system(), 'edge', 'deferred work', send)
    expect(await countEffects(system())).toBe(1)
    const trustedServer = await mail.use(security, trusted.issue('localhost'))
    await resendAllEffects(system())
    expect(trustedServer.emails).toHaveLength(1)
  })
})
