import { Media } from '../../client/node/index.ts'
import { openAccount } from './accounts.ts'
import { fillBalanceTo } from './credits.ts'

/**
 * Creates an account with credits for many jobs and an API key.
 * @returns the options of a client that uses the key
 */
export async function openKey(system: {
  api_url: string
  database_url: string
}): Promise<{ apiUrl: string; apiKey: string }> {
  const { api_url: apiUrl, database_url } = system
  const { id, client } = await openAccount(apiUrl)
  await fillBalanceTo(database_url, id, 1000)
  const session = new Media({ apiUrl, apiKey: client.token ?? '' })
  const { plaintext } = await session.apiKeys.create({ name: 'test' })
  return { apiUrl, apiKey: plaintext }
}
