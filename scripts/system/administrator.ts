import { ADMIN_EMAIL } from './wrangler-config.ts'

/**
 * Makes sure that the local administrator can sign in: registers it on the first start. It registers first,
 * since a login without an account would use up one of the failures that an address is allowed.
 */
export async function registerAdministrator(edgeUrl: string, password: string): Promise<void> {
  const credentials = { email: ADMIN_EMAIL, password }
  const register = await post(`${edgeUrl}/api/v1/auth/register`, {
    ...credentials,
    full_name: 'Local administrator',
  })
  if (register.ok) return
  const answer = register.status === 409 ? await post(`${edgeUrl}/api/v1/auth/login`, credentials) : register
  if (answer.ok) return
  throw new Error(`the local administrator was refused: ${answer.status} ${await answer.text()}`)
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
}
