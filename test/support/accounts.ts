import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Client, type Credentials } from '../../dev/client.ts'

/** A new account with a session. Every test creates its own, so balances are independent. */
export interface Account {
  id: number
  client: Client
  credentials: Credentials
}

const Ping = z.looseObject({ account_id: z.int() })

export async function openAccount(api_url: string): Promise<Account> {
  const client = new Client(api_url)
  const credentials = {
    email: `${randomBytes(8).toString('hex')}@localhost.test`,
    password: randomBytes(18).toString('hex'),
  }
  await client.register(credentials)
  const ping = await client.send('GET', '/api/v1/me/ping')
  return { id: Ping.parse(await ping.json()).account_id, client, credentials }
}
