import { describe, expect, test, vi } from 'vitest'
import { nextQuery } from '../../test/edge/worker/context.ts'
import { PNG } from '../../test/edge/worker/files.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { buy, showOrder } from '../../test/edge/worker/payments.ts'
import {
  giveCredits,
  ledgerOf,
  makeKey,
  register,
  SUBMISSION,
  showJob,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../test/edge/worker/reports.ts'
import { listPackage, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { inDatabase, makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { findByIdentity } from '../identity/queries.ts'
import { databaseNumberOf } from '../platform/database/ids.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { copyToAll } from './copy-global-tables.ts'

const context = makeSpreadContext()
const { call, home, other } = context
const there = inDatabase(context, other)

async function countAccounts(deps: typeof home, email: string): Promise<number> {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT count(*) AS total FROM accounts WHERE email_key = ?',
    args: [email],
  })
  return Number(rows[0]?.total)
}

describe('an account in the other database', () => {
  test('submits a job that the fleet runs, with a key that names the database', async () => {
    const person = await register(there)
    await giveCredits(there, person, 100)
    const { key } = await makeKey(context, person)
    expect([databaseNumberOf(key), person.id > 1e11]).toEqual([1, true])
    const { url } = await upload(context, person, PNG)
    const body = { service_slug: 'image', operation_key: 'resize', params: { file_url: url, width: 100 } }
    const submitted = await call('POST', '/api/v1/jobs/api', { key, body })
    expect(submitted.status, submitted.text).toBe(201)
    const { id } = submitted.json
    expect(databaseNumberOf(id)).toBe(1)
    await report(context, started(id))
    await report(context, finished(id, doneOutcome(id, 1)))
    expect(await showJob(context, person, id)).toMatchObject({ status: 'done' })
    expect((await ledgerOf(context, person)).check.ok).toBe(true)
    expect(
      (await home.db.$client.execute({ sql: 'SELECT 1 FROM jobs WHERE id = ?', args: [id] })).rows,
    ).toEqual([])
  })

  test('buys a pack from the copied catalog, and the event of the provider finds its order', async () => {
    const pack = await listPackage(context)
    await copyToAll(home)
    const person = await register(there)
    const id = await buy(context, person, { package_id: pack.id })
    expect(await showOrder(context, person, id)).toMatchObject({ status: 'paid' })
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 520 })
  })

  test('is listed and shown to administrators, whose changes of the catalog are copied', async () => {
    const admin = await registerAdministrator(context)
    const { token } = admin
    const [here, person] = [await register(context), await register(there)]
    const tag = crypto.randomUUID()
    const jobs: string[] = []
    for (const owner of [here, person, here]) {
      const body = { ...SUBMISSION, tag }
      jobs.push((await call('POST', '/api/v1/jobs', { token: owner.token, body })).json.id)
    }
    const shownJobs: string[] = []
    for (let next: string | undefined = `tag=${tag}&limit=1`; next !== undefined; ) {
      const page = await call('GET', `/api/v1/admin/jobs?${next}` as '/api/v1/admin/jobs', { token })
      shownJobs.push(...page.json.map(({ id }) => id))
      next = nextQuery(page.headers)
    }
    expect(shownJobs).toEqual(jobs.toReversed())
    const found = await call('GET', `/api/v1/admin/accounts?q=${person.email}` as '/api/v1/admin/accounts', {
      token,
    })
    expect(found.json.map(({ id }) => id)).toEqual([person.id])
    const far = await call('GET', '/api/v1/admin/accounts?offset=1001' as '/api/v1/admin/accounts', { token })
    expect(far.faults.map(({ type }) => type)).toEqual(['offset_too_large'])
    const shown = await call('GET', `/api/v1/admin/accounts/${person.id}`, { token })
    expect([shown.status, shown.json.open_jobs]).toEqual([200, 1])
    const pack = await listPackage(context)
    const changed = await call('PATCH', `/api/v1/admin/packages/${pack.id}`, {
      token,
      body: { name: 'Copied' },
    })
    expect(changed.status, changed.text).toBe(200)
    await context.settled()
    const { rows } = await other.db.$client.execute({
      sql: 'SELECT name FROM packages WHERE id = ?',
      args: [pack.id],
    })
    expect(rows[0]?.name).toBe('Copied')
  })

  test('is changed by administrators, once for each key, and the change is in its log', async () => {
    const { token, id: administrator_id } = await registerAdministrator(context)
    const person = await register(there)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { account_id: person.id, credits: 70 }
    const topUp = () => call('POST', '/api/v1/billing/admin/topup', { token, body, headers })
    const [first, second] = [await topUp(), await topUp()]
    expect([first.status, second.status, second.json.balance], first.text).toEqual([200, 200, 90])
    // As after a crash between the two databases.
    await home.db.$client.execute({
      sql: 'UPDATE idempotency_keys SET completions = 0, locked_until = 0 WHERE owner = ?',
      args: [`account:${administrator_id}`],
    })
    expect((await topUp()).json.balance).toBe(90)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 90 })
    const block = (blocked: boolean) =>
      call('PATCH', `/api/v1/admin/accounts/${person.id}`, { token, body: { blocked } })
    expect((await block(true)).status).toBe(200)
    expect((await call('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(401)
    expect((await block(false)).status).toBe(200)
    const promoted = await call('PATCH', `/api/v1/admin/accounts/${person.id}`, {
      token,
      body: { is_admin: true },
    })
    expect(promoted.code).toBe('administrator_elsewhere')
    const query = `?target=account:${person.id}` as ''
    const log = await call('GET', `/api/v1/admin/audit${query}`, { token })
    expect(log.json.map((row) => [row.administrator_id, row.action])).toEqual([
      [administrator_id, 'account.change'],
      [administrator_id, 'account.change'],
      [administrator_id, 'account.topup'],
    ])
    const job = await submit(context, person)
    expect((await call('POST', `/api/v1/admin/jobs/${job}/cancel`, { token })).json.status).toBe('canceled')
  })

  test('signs in with its address', async () => {
    const { email, password } = await register(there)
    const answer = await call('POST', '/api/v1/auth/login', {
      body: { email, password },
      headers: { 'cf-connecting-ip': freshAddress() },
    })
    expect(answer.status, answer.text).toBe(200)
    const me = await call('GET', '/api/v1/auth/me', { token: answer.json.access_token })
    expect(me.json.email).toBe(email)
  })
})

test('an address opens one account, however many try at once', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const body = { email, password: 'correct horse battery' }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', '/api/v1/auth/register', { body })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  expect((await countAccounts(home, email)) + (await countAccounts(other, email))).toBe(1)
})

test('an identity is linked to one account, although two try at once', async () => {
  const [here, person] = [await register(context), await register(there)]
  const identity = {
    ...{ issuer: 'https://id.example.com', subject: crypto.randomUUID(), email: null, email_verified: false },
    ...{ full_name: null, locale: null },
  }
  await Promise.allSettled([linkAccount(home, here.id, identity), linkAccount(other, person.id, identity)])
  const found = await readEverywhere(home, (db) => findByIdentity(db, identity, null))
  expect(found.filter(({ linked }) => linked !== undefined).length).toBeLessThan(2)
})

test('what strangers make up is looked for only in the database that it names and in the home', async () => {
  const { $client } = other.db
  const [executed, batched] = [vi.spyOn($client, 'execute'), vi.spyOn($client, 'batch')]
  const unknown = await call('GET', '/api/v1/jobs', { key: 'mk_unknown' })
  const file = await call('GET', `/files/uploads/${crypto.randomUUID()}/unknown.png` as '/files')
  const page = await call('POST', '/unsubscribe/unknown/jobs' as '/unsubscribe')
  const count = executed.mock.calls.length + batched.mock.calls.length
  executed.mockRestore()
  batched.mockRestore()
  expect([unknown.code, file.code, page.status]).toEqual(['invalid_api_key', 'file_not_found', 404])
  expect(count).toBe(0)
})

test('a database with too many requests delays no requests of accounts in others', async () => {
  const [here, person] = [await register(context), await register(there)]
  const [, admission] = home.admissions
  const places: symbol[] = []
  for (let place = admission?.enter(); place; place = admission?.enter()) places.push(place)
  const [refused, accepted] = await Promise.all(
    [person, here].map(({ token }) => call('GET', '/api/v1/auth/me', { token })),
  )
  for (const place of places) admission?.leave(place)
  expect([refused?.code, accepted?.status]).toEqual(['overloaded', 200])
})
