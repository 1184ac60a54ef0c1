import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { Client } from '../dev/client.ts'
import type { Account } from './support/accounts.ts'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'
import { createKey, openAdministrator, openConfirmedAccount } from './support/credentials.ts'
import type { CrossTenantRequest } from './support/cross-tenant-request.ts'
import { CROSS_TENANT_REQUESTS } from './support/cross-tenant-requests.ts'
import {
  inventResources,
  makeOwnResources,
  nameAsNobody,
  nameAsStranger,
} from './support/cross-tenant-resources.ts'
import { type Sender, sendCrossTenant } from './support/cross-tenant-send.ts'
import { makeTestFolder } from './support/folder.ts'
import { listInputNames } from './support/input-names.ts'
import { WITHOUT_OWNED_RESOURCES } from './support/without-owned-resources.ts'

const system = inject('system')
const folder = makeTestFolder()
const document = await fetchDocument(system.api_url)
const endpoints = new Map(listEndpoints(document).map((endpoint) => [endpoint.name, endpoint]))

/** Matches input names that can refer to owned resources. */
const NAMING = /(^|_)(ids?|keys?|urls?|files?|params|tokens?|email|provider|connection_name|storage)$/

let owner: Account
let people: Record<'owner' | 'administrator' | 'stranger' | 'key' | 'anonymous', Sender>
let file: File

beforeAll(async () => {
  owner = await openConfirmedAccount(system)
  // Existing sessions pick up the confirmation within four seconds; a new session has it immediately.
  await owner.client.login(owner.credentials)
  const stranger = await openConfirmedAccount(system)
  const administrator = await openAdministrator(system)
  const { image, resources } = await makeOwnResources(system, owner, folder)
  file = new File([await readFile(image)], 'dot.png', { type: 'image/png' })
  const key = new Client(system.api_url, (await createKey(stranger)).plaintext)
  const anonymous = new Client(system.api_url)
  const named = await nameAsStranger(stranger.client, resources, image)
  people = {
    owner: { client: owner.client, resources },
    administrator: { client: administrator.client, resources },
    stranger: { client: stranger.client, resources: named },
    key: { client: key, resources: named },
    anonymous: { client: anonymous, resources: await nameAsNobody(anonymous, resources, image) },
  }
})

function findEndpoint({ endpoint }: CrossTenantRequest): Endpoint {
  const found = endpoints.get(endpoint)
  if (found === undefined) throw new Error(`The document has no ${endpoint}.`)
  return found
}

const send = (request: CrossTenantRequest, sender: Sender) =>
  sendCrossTenant(request, findEndpoint(request), sender, file)

/** Kinds of strangers that can call an endpoint. The table specifies the status for the first kind. */
function strangersTo({ access }: Endpoint): ('stranger' | 'key' | 'anonymous')[] {
  if (access === 'either') return ['stranger', 'key']
  return access === 'anyone' ? ['stranger', 'key', 'anonymous'] : ['stranger']
}

/** Lists responses to strangers that differ from the table or from the responses for resources that do not exist. */
async function findLeaks(request: CrossTenantRequest): Promise<string[]> {
  const deviations: string[] = []
  for (const who of strangersTo(findEndpoint(request))) {
    const { client, resources } = people[who]
    const answerOnOwned = await send(request, { client, resources })
    const answerOnUnknown = await send(request, { client, resources: inventResources(resources) })
    const [status, code] =
      who === 'stranger' ? request.refused : [answerOnUnknown.status, answerOnUnknown.code]
    const expected = { status, code, detail: answerOnUnknown.detail }
    for (const answer of [answerOnOwned, answerOnUnknown]) {
      if (isDeepStrictEqual(answer, expected)) continue
      deviations.push(
        `${request.endpoint}, ${who}: ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`,
      )
    }
  }
  return deviations
}

/**
 * Responses that change on their own: statistics are aggregated later, prices show the best-selling offer, and an
 * export includes its time.
 */
const CHANGING = /^\/api\/v1\/(stats\/|auth\/me\/export$|me\/usage\/summary$|billing\/(packages|plans)$)/

/** All GET endpoints that work without a reference to a resource. */
const lists = [...endpoints.values()].filter(
  ({ method, path, access, needsInput }) =>
    method === 'GET' &&
    access !== 'admin' &&
    !needsInput &&
    !path.includes('{') &&
    path.startsWith('/api/v1/'),
)

/** Lists that show administrators every account's rows. */
const OF_ALL = listInputNames(document).flatMap(([name, inputs]) => (inputs.includes('mine') ? [name] : []))

function readLists({ client }: Pick<Sender, 'client'>, paths: string[]): Promise<[string, string][]> {
  const read = async (path: string): Promise<[string, string]> => {
    const response = await client.send('GET', OF_ALL.includes(`GET ${path}`) ? `${path}?mine=false` : path)
    return [path, await response.text()]
  }
  return Promise.all(paths.map(read))
}

describe('the table', () => {
  test('contains every endpoint whose input may refer to an owned resource', () => {
    const naming = listInputNames(document).flatMap(([name, inputs]) =>
      inputs.some((input) => NAMING.test(input)) ? [name] : [],
    )
    const known = [
      ...CROSS_TENANT_REQUESTS.map(({ endpoint }) => endpoint),
      ...Object.values(WITHOUT_OWNED_RESOURCES).flat(),
    ]
    expect([...new Set(known)].sort()).toEqual(naming.sort())
  })

  test('expects no access error for an authorized sender', () => {
    for (const { endpoint, served } of CROSS_TENANT_REQUESTS)
      expect([401, 403, 404], endpoint).not.toContain(served)
  })
})

test('a stranger gets the same response as for unknown resources and changes nothing', async () => {
  const own = lists.filter(({ access, path }) => /session|either/.test(access) && !CHANGING.test(path))
  const paths = own.map(({ path }) => path)
  const before = await readLists(people.owner, paths)
  const ledger = await people.stranger.client.ledger()
  expect((await Promise.all(CROSS_TENANT_REQUESTS.map(findLeaks))).flat()).toEqual([])
  expect(await readLists(people.owner, paths)).toEqual(before)
  expect([await people.stranger.client.jobs(10), await people.stranger.client.ledger()]).toEqual([[], ledger])
})

test('no list shows a resource of another account', async () => {
  const bystander = await openConfirmedAccount(system)
  const names = Object.values(people.owner.resources).filter((id) => String(id).length > 16)
  const shown = await readLists(
    bystander,
    lists.map(({ path }) => path),
  )
  for (const [path, text] of shown) {
    expect(
      names.filter((name) => text.includes(String(name))),
      path,
    ).toEqual([])
  }
})

test('the owner, or an administrator, is served', async () => {
  const answers: string[] = []
  for (const request of CROSS_TENANT_REQUESTS) {
    const { status } = await send(request, people[request.by ?? 'owner'])
    answers.push(`${request.endpoint}: ${status}`)
  }
  expect(answers).toEqual(CROSS_TENANT_REQUESTS.map(({ endpoint, served }) => `${endpoint}: ${served}`))
  expect(await owner.client.verifyLedger()).toMatchObject({ ok: true })
})
