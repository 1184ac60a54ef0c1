import { createServer, type AddressInfo } from 'node:net'
import { test, describe } from 'vitest'
import { openAccount } from './support/accounts.ts'
import { readFileSync } from 'node:fs'
import { useOwnSystem, waitForLog } from './support/own-system.ts'
import { passResendTime } from './support/inside.ts'
describe.each(['tls', 'starttls'])('%s', (security) => {
  const silent = createServer(() => {})
  const system = useOwnSystem(async () => {
    await new Promise<void>((r) => silent.listen(0, '127.0.0.1', r))
    return { edge: { SMTP_HOST: 'localhost', SMTP_PORT: String((silent.address() as AddressInfo).port), SMTP_SECURE: security } }
  })
  test('hang', async () => {
    const { client } = await openAccount(system().api_url)
    const t = Date.now()
    await waitForLog(system(), 'edge', 'deferred work', () => client.send('POST', '/api/v1/auth/email/send-code'))
    console.log(security, 'deferred ended after', Date.now() - t)
    const u = Date.now(); await passResendTime(system()); console.log(security, 'cron ended after', Date.now() - u)
    console.log(readFileSync(system().parts.edge.definition.logFile, 'utf8').split('\n').filter((l) => /error/.test(l)).join('\n').slice(0, 1500))
  }, 120_000)
})
