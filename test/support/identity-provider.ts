import { expect } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../dev/client.ts'
import { Browser } from './browser.ts'

export const IDP = '/api/v1/auth/idp'
const Started = z.object({ authorization_url: z.url() })

/**
 * Starts a flow and signs in at the provider under this name.
 * @returns the query string of the redirect back
 */
export async function visitProvider(
  client: Client,
  name: string,
  { mode = 'login', next = '/' }: { mode?: 'login' | 'link'; next?: string } = {},
): Promise<{ code: string; state: string }> {
  const started = await client.send('POST', `${IDP}/start`, { next, mode })
  expect(started.status).toBe(200)
  return new Browser().signIn(Started.parse(await started.json()).authorization_url, name)
}
