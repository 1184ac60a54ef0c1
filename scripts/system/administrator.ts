import { ADMIN_EMAIL } from './wrangler-config.ts'

/** Makes sure that the local administrator can sign in: registers it on the first start. */
export async function registerAdministrator(edgeUrl: string, password: string): Promise<void> {
  const credentials = { email: ADMIN_EMAIL, password }
  const login = await post(`${edgeUrl}/api/v1/auth/login`, credentials)
  if (login.ok) return
  const register = await post(`${edgeUrl}/api/v1/auth/register`, {
    ...credentials,
    full_name: 'Local administrator',
  })
  if (register.ok) return
  throw new Error(`the local administrator was refused: ${register.status} ${await register.text()}`)
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
}
