import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAccount } from './support/accounts.ts'
import { makeAuthority } from './support/certificates.ts'
import { countEffects, passResendTime } from './support/inside.ts'
import { useOwnSystem, waitForLog } from './support/own-system.ts'
import { startMailAddress } from './support/smtp.ts'

const USER = 'mailer'
const PASSWORD = 'a-password-of-the-mail-server'

/** All that a stranger on the way may read. */
const PLAIN = { tls: '', starttls: expect.stringMatching(/^EHLO \S+\r\nSTARTTLS\r\n$/) }

const folder = mkdtempSync(join(tmpdir(), 'letters-tls-'))
const trusted = makeAuthority(folder, 'trusted')
const unknown = makeAuthority(folder, 'unknown')
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['tls', 'starttls'] as const)('letters by %s', (security) => {
  let mail: Awaited<ReturnType<typeof startMailAddress>>
  afterAll(() => mail.stop())
  const system = useOwnSystem(async () => {
    mail = await startMailAddress()
    // The edge is started with it, and trusts this authority beside those that everybody trusts.
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

  test('the code arrives, and nothing of it or of the password is on the wire', async () => {
    const server = await mail.use(security, trusted.issue('localhost'))
    const { client, credentials } = await openAccount(system().api_url)
    const sent = await client.send('POST', '/api/v1/auth/email/send-code')
    expect(sent.status).toBe(200)
    await expect.poll(() => server.letters.length, { timeout: 30_000 }).toBe(1)
    expect(server.logins).toEqual([{ user: USER, password: PASSWORD, secure: true }])
    expect(server.letters).toMatchObject([{ to: [credentials.email], secure: true }])
    const [, code = ''] = /^Subject: (\d{6}) is your/m.exec(server.letters[0]?.content ?? '') ?? []
    expect(mail.heard()).toEqual([{ plain: PLAIN[security], encrypted: true }])
    const answer = await client.send('POST', '/api/v1/auth/email/verify', { code })
    expect(answer.status).toBe(200)
    await expect.poll(() => countEffects(system()), { timeout: 10_000 }).toBe(0)
  })

  test.each([
    ['whose certificate nobody trusts', security, unknown.issue('localhost')],
    ['whose certificate is for another name', security, trusted.issue('mail.example.com')],
    ['that offers no TLS', 'none', null],
  ] as const)(
    'a server %s is told nothing; the letter waits for the right one',
    async (_what, offers, own) => {
      const server = await mail.use(offers, own)
      const { client, credentials } = await openAccount(system().api_url)
      const send = () => client.send('POST', '/api/v1/auth/email/send-code')
      await waitForLog(system(), 'edge', 'deferred work', send)
      await passResendTime(system())
      expect(await countEffects(system())).toBe(1)
      const heard = { plain: PLAIN[security], encrypted: security === 'tls' || own !== null }
      expect(mail.heard()).toEqual([heard, heard])
      expect(server).toEqual({ logins: [], letters: [] })
      const right = await mail.use(security, trusted.issue('localhost'))
      await passResendTime(system())
      expect(right.letters).toMatchObject([{ to: [credentials.email] }])
      expect(await countEffects(system())).toBe(0)
    },
  )

  test('a server that never answers is given up in time; the letter waits', async () => {
    await mail.fallSilent()
    const { client } = await openAccount(system().api_url)
    const send = () => client.send('POST', '/api/v1/auth/email/send-code')
    await waitForLog(system(), 'edge', 'deferred work', send)
    expect(await countEffects(system())).toBe(1)
    const right = await mail.use(security, trusted.issue('localhost'))
    await passResendTime(system())
    expect(right.letters).toHaveLength(1)
  })
})
