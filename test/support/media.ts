import { Media } from '../../client/node/index.ts'
import { openAccount } from './accounts.ts'

/** Creates an account with an API key. @returns the options of a client that uses it */
export async function openKey(api_url: string): Promise<{ apiUrl: string; apiKey: string }> {
  const { client } = await openAccount(api_url)
  const session = new Media({ apiUrl: api_url, apiKey: client.token ?? '' })
  const { plaintext } = await session.apiKeys.create({ name: 'test' })
  return { apiUrl: api_url, apiKey: plaintext }
}
