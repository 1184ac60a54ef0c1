import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { type Media, MediaError } from '../../client/node/index.ts'
import { Client, type Credentials } from '../client.ts'
import type { LocalFile } from '../local.ts'
import { ask } from '../requests/ask.ts'
import { openMedia, signIn } from './connect.ts'

const SavedCredentials = z.object({ email: z.string(), password: z.string() })

/** Minimum balance before a run. A demo of a short clip costs 6 credits. */
const CREDITS_MIN = 20
const CREDITS_ADDED = 100

/**
 * Signs in to the previous demo's account, or creates an account if there is none. Accounts are reused because a
 * network can open only a few per hour. The administrator tops up an account whose credits earlier demos have used.
 * @param file where this machine stores the credentials
 * @returns the client of the account, and whether the account is new
 */
export async function enterAccount(
  file: string,
  { api_url, admin }: LocalFile,
): Promise<{ media: Media; isNew: boolean }> {
  const saved = existsSync(file) ? SavedCredentials.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
  const known = saved === null ? null : await signInIfKnown(api_url, saved)
  if (saved !== null && known !== null) {
    const { balance } = await known.billing.getBalance()
    if (balance < CREDITS_MIN) await topUp(api_url, admin, saved.email)
    return { media: known, isNew: false }
  }
  const credentials = {
    email: `demo-${randomBytes(6).toString('hex')}@localhost.test`,
    password: randomBytes(18).toString('hex'),
  }
  const { access_token } = await openMedia(api_url).auth.register(credentials)
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 })
  return { media: openMedia(api_url, access_token), isNew: true }
}

/** @returns null if the server rejects the credentials, for example because the account was deleted */
async function signInIfKnown(api_url: string, credentials: Credentials): Promise<Media | null> {
  try {
    return await signIn(api_url, credentials)
  } catch (error) {
    if (error instanceof MediaError && error.status === 401) return null
    throw error
  }
}

async function topUp(api_url: string, admin: Credentials, email: string): Promise<void> {
  const client = new Client(api_url)
  await client.login(admin)
  await ask(client, 'POST', '/api/v1/billing/admin/topup', { email, credits: CREDITS_ADDED, note: 'demo' })
}
