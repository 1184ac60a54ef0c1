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
let things: Resources
let credentials: Record<CredentialName, Credential>

beforeAll(async () => {
  const owner = await openConfirmedAccount(system)
  const stranger = await openConfirmedAccount(system)
  people = { owner, stranger, administrator: await openAdministrator(system) }
  const revoked = await createRevokedKey(owner, system)
  credentials = await makeCredentials(system, people, revoked.plaintext)
  things = await makeResources(system, owner, String(revoked.id), folder)
})

/** What an endpoint answers to somebody who is let in. */
function answerTo(endpoint: Endpoint, who: Who | 'nobody'): number {
  const exception = EXCEPTIONS[endpoint.name]?.expected[who]
  if (exception !== undefined) return exception
  const success = Math.min(...endpoint.statuses)
  const namesThing = endpoint.path.includes('{') || endpoint.name in QUERIES
  if (!namesThing) return endpoint.needsInput ? 422 : success
  if (who === 'owner') return success
  return who === 'nobody' ? 401 : 404
}

/** Endpoints that a limit by address counts, and no key's day. */
const COUNTED_BY_ADDRESS = ['POST /api/v1/uploads/multipart/sign-part']

/** A key does no administration: an administrator's is a stranger to others' jobs. */
const HOLDERS = { owner: 'owner', spent: 'owner', stranger: 'stranger', administrator: 'stranger' } as const

/** From the document's access alone, then from whom the credential names. */
function expectedStatus(endpoint: Endpoint, { session, key }: Credential): number {
  const { access } = endpoint
  if (access === 'none') return answerTo(endpoint, 'nobody')
  if (access === 'session' || access === 'admin') {
    if (session === null) return 401
    return access === 'admin' && session !== 'administrator' ? 403 : answerTo(endpoint, session)
  }
  if (key === 'bad') return 401
  if (key === 'spent' && !COUNTED_BY_ADDRESS.includes(endpoint.name)) return 429
  if (key !== null) return answerTo(endpoint, HOLDERS[key])
  if (session !== null) return answerTo(endpoint, session)
  return access === 'anyone' ? answerTo(endpoint, 'nobody') : 401
}

const QUERIES: Record<string, (things: Resources) => string> = {
  'GET /api/v1/uploads/download': ({ file_url }) => `?url=${encodeURIComponent(file_url)}`,
}

const Refusal = z.object({
  detail: z.union([z.string(), z.array(z.looseObject({})), z.looseObject({})]),
  code: z.enum(ERROR_CODES),
  request_id: z.uuid(),
})

/**
 * Sends a request that would charge nothing where it is let in: no body is a valid one, and where there is
 * none, a fault of its headers is what must be found.
 */
async function tryEndpoint(
  { name, method, path, needsInput }: Endpoint,
  headers: Record<string, string>,
  expected: number,
): Promise<Response> {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = things[parameter]
    if (value === undefined) throw new Error(`${name}: the matrix has nothing that ${parameter} could name`)
    return value
  })
  const body = needsInput && method !== 'GET' ? '[]' : undefined
  const response = await fetch(`${system.api_url}${filled}${QUERIES[name]?.(things) ?? ''}`, {
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

/** Every endpoint that answered otherwise than expected, or by a status that its description lacks. */
async function findDeviations(credential: Credential): Promise<string[]> {
  const answers = endpoints.map(async (endpoint) => {
    const expected = expectedStatus(endpoint, credential)
    const { status, headers } = await tryEndpoint(endpoint, credential.headers, expected)
    if (!headers.has('ratelimit') || !headers.has('ratelimit-policy'))
      return `${endpoint.name}: tells no limit`
    if (status !== expected) return `${endpoint.name}: ${status} instead of ${expected}`
    return endpoint.statuses.includes(status) ? '' : `${endpoint.name}: ${status} is not documented`
  })
  return (await Promise.all(answers)).filter(Boolean)
}

describe('every endpoint', () => {
  test('is in the matrix, and every exception is for one', () => {
    const names = endpoints.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(40)
    for (const name of [...Object.keys(EXCEPTIONS), ...Object.keys(QUERIES), ...COUNTED_BY_ADDRESS])
      expect(names).toContain(name)
  })

  test.each(CREDENTIALS)('with %s', async (name) => {
    expect(await findDeviations(credentials[name])).toEqual([])
  })
})

test('nothing of it was charged, and every ledger adds up', async () => {
  const ledgers = await Promise.all(Object.values(people).map(({ client }) => client.ledger(500)))
  const charges = ledgers.flat().filter(({ amount }) => amount < 0)
  expect(charges.map(({ job_id }) => job_id)).toEqual([things.job_id])
  for (const { client } of Object.values(people))
    expect(await client.verifyLedger()).toMatchObject({ ok: true })
})
