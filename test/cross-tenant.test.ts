import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { Client } from '../dev/client.ts'
import type { Account } from './support/accounts.ts'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'
import { createKey, openAdministrator, openConfirmedAccount } from './support/credentials.ts'
import {
  CROSS_TENANT_REQUESTS,
  type CrossTenantRequest,
  NAMING_NOTHING_OWNED,
} from './support/cross-tenant-requests.ts'
import { makeOwnResources, makeUp, nameAsNobody, nameAsStranger } from './support/cross-tenant-resources.ts'
import { type Sender, sendCrossTenant } from './support/cross-tenant-send.ts'
import { makeTestFolder } from './support/folder.ts'
import { listInputNames } from './support/input-names.ts'

const system = inject('system')
const folder = makeTestFolder()
const document = await fetchDocument(system.api_url)
const endpoints = new Map(listEndpoints(document).map((endpoint) => [endpoint.name, endpoint]))

/** Names of inputs by which things of somebody's are named. */
const NAMING = /(^|_)(ids?|keys?|urls?|files?|params|tokens?|email|provider)$/

let owner: Account
let people: Record<'owner' | 'administrator' | 'stranger' | 'key' | 'nobody', Sender>
let file: File

beforeAll(async () => {
  owner = await openConfirmedAccount(system)
  // A session from before knows of the confirmation within four seconds: one that begins now knows it at once.
  await owner.client.login(owner.credentials)
  const stranger = await openConfirmedAccount(system)
  const administrator = await openAdministrator(system)
  const { picture, things } = await makeOwnResources(system, owner, folder)
  file = new File([await readFile(picture)], 'dot.png', { type: 'image/png' })
  const key = new Client(system.api_url, (await createKey(stranger)).plaintext)
  const nobody = new Client(system.api_url)
  const named = await nameAsStranger(stranger.client, things, picture)
  people = {
    owner: { client: owner.client, things },
    administrator: { client: administrator.client, things },
    stranger: { client: stranger.client, things: named },
    key: { client: key, things: named },
    nobody: { client: nobody, things: await nameAsNobody(nobody, things, picture) },
  }
})

function findEndpoint({ endpoint }: CrossTenantRequest): Endpoint {
  const found = endpoints.get(endpoint)
  if (found === undefined) throw new Error(`there is no ${endpoint}`)
  return found
}

const ask = (request: CrossTenantRequest, sender: Sender) =>
  sendCrossTenant(request, findEndpoint(request), sender, file)

/** Strangers that an endpoint may know; the first is the one that the table speaks of. */
function strangersTo({ access }: Endpoint): ('stranger' | 'key' | 'nobody')[] {
  if (access === 'either') return ['stranger', 'key']
  return access === 'anyone' ? ['stranger', 'key', 'nobody'] : ['stranger']
}

/** Every stranger who was told otherwise of the owner's things than the table says, or than of none. */
async function findTold(request: CrossTenantRequest): Promise<string[]> {
  const deviations: string[] = []
  for (const who of strangersTo(findEndpoint(request))) {
    const { client, things } = people[who]
    const told = await ask(request, { client, things })
    const toldOfNone = await ask(request, { client, things: makeUp(things) })
    const [status, code] = who === 'stranger' ? request.refused : [toldOfNone.status, toldOfNone.code]
    const expected = { status, code, detail: toldOfNone.detail }
    for (const answer of [told, toldOfNone]) {
      if (isDeepStrictEqual(answer, expected)) continue
      deviations.push(
        `${request.endpoint}, ${who}: ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`,
      )
    }
  }
  return deviations
}

/** What others do changes them: sums are added up by and by, and what is bought most is told with the prices. */
const CHANGING = /^\/api\/v1\/(stats\/|me\/usage\/summary$|billing\/(packages|plans)$)/

/** All that can be asked for without naming a thing. */
const lists = [...endpoints.values()].filter(
  ({ method, path, access, needsInput }) =>
    method === 'GET' &&
    access !== 'admin' &&
    !needsInput &&
    !path.includes('{') &&
    path.startsWith('/api/v1/'),
)

function readLists({ client }: Pick<Sender, 'client'>, paths: string[]): Promise<[string, string][]> {
  const read = async (path: string): Promise<[string, string]> => {
    const response = await client.send('GET', `${path}?mine=false`)
    return [path, await response.text()]
  }
  return Promise.all(paths.map(read))
}

describe('the table', () => {
  test('has every endpoint whose input may name a thing of somebody’s', () => {
    const naming = listInputNames(document).flatMap(([name, inputs]) =>
      inputs.some((input) => NAMING.test(input)) ? [name] : [],
    )
    const known = [
      ...CROSS_TENANT_REQUESTS.map(({ endpoint }) => endpoint),
      ...Object.values(NAMING_NOTHING_OWNED).flat(),
    ]
    expect([...new Set(known)].sort()).toEqual(naming.sort())
  })

  test('asks nothing of the owner that is refused for who asks', () => {
    for (const { endpoint, served } of CROSS_TENANT_REQUESTS)
      expect([401, 403, 404], endpoint).not.toContain(served)
  })
})

test('a stranger is told of the owner’s things as of none, and changes nothing', async () => {
  const own = lists.filter(({ access, path }) => /session|either/.test(access) && !CHANGING.test(path))
  const paths = own.map(({ path }) => path)
  const before = await readLists(people.owner, paths)
  const ledger = await people.stranger.client.ledger()
  expect((await Promise.all(CROSS_TENANT_REQUESTS.map(findTold))).flat()).toEqual([])
  expect(await readLists(people.owner, paths)).toEqual(before)
  expect([await people.stranger.client.jobs(10), await people.stranger.client.ledger()]).toEqual([[], ledger])
})

test('no list shows a thing of somebody else’s', async () => {
  const bystander = await openConfirmedAccount(system)
  const names = Object.values(people.owner.things).filter((thing) => String(thing).length > 16)
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

test('their owner, or an administrator, is served', async () => {
  const answers: string[] = []
  for (const request of CROSS_TENANT_REQUESTS) {
    const { status } = await ask(request, people[request.by ?? 'owner'])
    answers.push(`${request.endpoint}: ${status}`)
  }
  expect(answers).toEqual(CROSS_TENANT_REQUESTS.map(({ endpoint, served }) => `${endpoint}: ${served}`))
  expect(await owner.client.verifyLedger()).toMatchObject({ ok: true })
})
