import { ADMIN_EMAIL } from './wrangler-config.ts'

/**
 * Ensures that the local administrator can sign in. The first start registers without trying to log in, because a
 * failed login counts against this address's rate limit. Later starts log in, because registrations count against
 * it too.
 */
export async function registerAdministrator(edgeUrl: string, password: string, isFirstStart: boolean) {
  const credentials = { email: ADMIN_EMAIL, password }
  const login = () => post(`${edgeUrl}/api/v1/auth/login`, credentials)
  if (!isFirstStart && (await login()).ok) return
  const registration = { ...credentials, full_name: 'Local administrator' }
  const register = await post(`${edgeUrl}/api/v1/auth/register`, registration)
  // A 409 on the first start means that an earlier start registered the account but was stopped before it was
  // ready.
  if (register.ok || (isFirstStart && register.status === 409 && (await login()).ok)) return
  throw new Error(
    `Registration of the local administrator failed: ${register.status} ${await register.text()}`,
  )
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
}
