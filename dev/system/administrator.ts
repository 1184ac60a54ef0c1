import { ADMIN_EMAIL } from './wrangler-config.ts'

/**
 * Makes sure that the local administrator can sign in. The first start registers it at once: a login without
 * an account would use up a failure of this address. Later ones log in: a registration would count as well.
 */
export async function registerAdministrator(edgeUrl: string, password: string, isFirstStart: boolean) {
  const credentials = { email: ADMIN_EMAIL, password }
  const login = () => post(`${edgeUrl}/api/v1/auth/login`, credentials)
  if (!isFirstStart && (await login()).ok) return
  const registration = { ...credentials, full_name: 'Local administrator' }
  const register = await post(`${edgeUrl}/api/v1/auth/register`, registration)
  // 409 on a first start: an earlier one was ended between registering and being ready.
  if (register.ok || (isFirstStart && register.status === 409 && (await login()).ok)) return
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
