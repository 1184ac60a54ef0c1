import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { Client, type Credentials, ResponseError } from '../client.ts'

const SavedCredentials = z.object({ email: z.string(), password: z.string() })

/** Minimum balance before a run. A demo of a short clip costs 6 credits. */
const CREDITS_MIN = 20
const CREDITS_ADDED = 100

/**
 * Signs in to the previous demo's account, or creates an account if there is none. Accounts are reused because a
 * network can open only a few per hour.
 * @param file where this machine stores the credentials
 * @param admin tops up the account if earlier demos have used up its credits
 * @returns whether the account is new
 */
export async function enterAccount(client: Client, file: string, admin: Credentials): Promise<boolean> {
  const saved = existsSync(file) ? SavedCredentials.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
  if (saved !== null && (await signIn(client, saved))) {
    if ((await client.balance()) < CREDITS_MIN) await topUp(client.apiUrl, admin, saved.email)
    return false
  }
  const credentials = {
    email: `demo-${randomBytes(6).toString('hex')}@localhost.test`,
    password: randomBytes(18).toString('hex'),
  }
  await client.register(credentials)
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 })
  return true
}

/** @returns false if the server rejects the credentials, for example because the account was deleted */
async function signIn(client: Client, credentials: Credentials): Promise<boolean> {
  try {
    await client.login(credentials)
    return true
  } catch (error) {
    if (error instanceof ResponseError && error.status === 401) return false
    throw error
  }
}

async function topUp(apiUrl: string, admin: Credentials, email: string): Promise<void> {
  const client = new Client(apiUrl)
  await client.login(admin)
  const added = { email, credits: CREDITS_ADDED, note: 'demo' }
  const response = await client.send('POST', '/api/v1/billing/admin/topup', added)
  if (!response.ok) throw new ResponseError('the top-up', response.status, await response.text())
}
