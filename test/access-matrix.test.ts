import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { ERROR_CODES } from '../edge/platform/errors/rules/table.ts'
import { EXCEPTIONS } from './support/access-exceptions.ts'
import { makeResources, type Resources } from './support/access-resources.ts'
import {
  CREDENTIALS,
  type Credential,
  type CredentialName,
  makeCredentials,
  type Who,
} from './support/access-states.ts'
import type { Account } from './support/accounts.ts'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'
import { createRevokedKey, openAdministrator, openConfirmedAccount } from './support/credentials.ts'
import { makeTestFolder } from './support/folder.ts'

const system = inject('system')
const folder = makeTestFolder()
const endpoints = listEndpoints(await fetchDocument(system.api_url))

let people: Record<Who, Account>
let resources: Resources
let credentials: Record<CredentialName, Credential>

beforeAll(async () => {
  const owner = await openConfirmedAccount(system)
  const stranger = await openConfirmedAccount(system)
  people = { owner, stranger, administrator: await openAdministrator(system) }
  const revoked = await createRevokedKey(owner, system)
  credentials = await makeCredentials(system, people, revoked.plaintext)
  resources = await makeResources(system, owner, String(revoked.id), folder)
})

/** @returns the expected status for a caller who satisfies the access requirement */
function statusFor(endpoint: Endpoint, who: Who | 'anonymous'): number {
  const exception = EXCEPTIONS[endpoint.name]?.expected[who]
  if (exception !== undefined) return exception
  const success = Math.min(...endpoint.statuses)
  const namesResource = endpoint.path.includes('{') || endpoint.name in QUERIES
  if (!namesResource) return endpoint.needsInput ? 422 : success
  if (who === 'owner') return success
  return who === 'anonymous' ? 401 : 404
}

/** Endpoints to which a key's daily limit does not apply: limited by address, or needed to end work. */
const WITHOUT_DAILY_LIMIT = [
  'POST /api/v1/uploads/multipart/sign-part',
  'POST /api/v1/uploads/s3/sign',
  'POST /api/v1/jobs/{job_id}/cancel',
  'POST /api/v1/studio/batches/{batch_id}/cancel',
]

/** Keys have no administrator rights, so an administrator's key cannot access the jobs of other accounts. */
const HOLDERS = { owner: 'owner', spent: 'owner', stranger: 'stranger', administrator: 'stranger' } as const

/** Derives the expected status from the documented access and the account that the credentials identify. */
function expectedStatus(endpoint: Endpoint, { session, key }: Credential): number {
  const { access } = endpoint
  if (access === 'none') return statusFor(endpoint, 'anonymous')
  if (access === 'session' || access === 'admin') {
    if (session === null) return 401
    return access === 'admin' && session !== 'administrator' ? 403 : statusFor(endpoint, session)
  }
  if (key === 'bad') return 401
  if (key === 'spent' && !WITHOUT_DAILY_LIMIT.includes(endpoint.name)) return 429
  if (key !== null) return statusFor(endpoint, HOLDERS[key])
  if (session !== null) return statusFor(endpoint, session)
  return access === 'anyone' ? statusFor(endpoint, 'anonymous') : 401
}

const QUERIES: Record<string, (resources: Resources) => string> = {
  'GET /api/v1/uploads/download': ({ file_url }) => `?url=${encodeURIComponent(file_url)}`,
  'POST /api/v1/auth/logout': () => '?unknown=1',
  'POST /api/v1/auth/logout-all': () => '?unknown=1',
}

const Refusal = z.object({
  detail: z.union([z.string(), z.array(z.looseObject({})), z.looseObject({})]),
  code: z.enum(ERROR_CODES),
  request_id: z.uuid(),
})

/**
 * Sends a request that charges nothing even if it is authorized, because its body is invalid. If a 422 is expected
 * from an endpoint without a body, an invalid header is sent instead.
 */
async function tryEndpoint(
  { name, method, path, needsInput }: Endpoint,
  headers: Record<string, string>,
  expected: number,
): Promise<Response> {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = EXCEPTIONS[name]?.unknown?.[parameter] ?? resources[parameter]
    if (value === undefined) throw new Error(`${name}: the matrix has no resource for ${parameter}.`)
    return value
  })
  const body = needsInput && method !== 'GET' ? '[]' : undefined
  const response = await fetch(`${system.api_url}${filled}${QUERIES[name]?.(resources) ?? ''}`, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(expected === 422 && body === undefined ? { 'idempotency-key': 'x'.repeat(300) } : {}),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (response.status >= 400 && path.startsWith('/api/v1/')) Refusal.parse(JSON.parse(text))
  return response
}

/** Lists endpoints whose status is unexpected or undocumented, or that lack rate limit headers although they are of one client. */
async function findDeviations(credential: Credential): Promise<string[]> {
  const answers = endpoints.map(async (endpoint) => {
    const expected = expectedStatus(endpoint, credential)
    const { status, headers } = await tryEndpoint(endpoint, credential.headers, expected)
    const is_shared = headers.get('cache-control')?.startsWith('public')
    if (!is_shared && !(headers.has('ratelimit') && headers.has('ratelimit-policy')))
      return `${endpoint.name}: no RateLimit headers`
    if (status !== expected) return `${endpoint.name}: ${status} instead of ${expected}`
    return endpoint.statuses.includes(status) ? '' : `${endpoint.name}: ${status} is not documented`
  })
  return (await Promise.all(answers)).filter(Boolean)
}

describe('every endpoint', () => {
  test('is in the matrix, and every exception names an existing endpoint', () => {
    const names = endpoints.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(40)
    for (const name of [...Object.keys(EXCEPTIONS), ...Object.keys(QUERIES), ...WITHOUT_DAILY_LIMIT])
      expect(names).toContain(name)
  })

  test.each(CREDENTIALS)('answers as documented with %s', async (name) => {
    expect(await findDeviations(credentials[name])).toEqual([])
  })
})

test('the matrix charged nothing, and every ledger is consistent', async () => {
  const ledgers = await Promise.all(Object.values(people).map(({ client }) => client.ledger(500)))
  const charges = ledgers.flat().filter(({ amount }) => amount < 0)
  expect(charges.map(({ job_id }) => job_id)).toEqual([resources.job_id])
  for (const { client } of Object.values(people))
    expect(await client.verifyLedger()).toMatchObject({ ok: true })
})
