import { eq, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { buy } from '../../test/edge/worker/payments.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { listPackage, listPlan } from '../../test/edge/worker/shop.ts'
import { subscribe } from '../../test/edge/worker/terms.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { loadLegalTexts } from '../legal/load-texts.ts'
import { listAccepted } from '../legal/rules/documents.ts'
import * as tables from '../tables.ts'
import { AccountExport } from './schemas.ts'
import { readPage } from './section-queries.ts'
import { OMITTED, SECTIONS } from './sections.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const PATH = '/api/v1/auth/me/export'

const readExport = ({ token }: Person) => call('GET', PATH, { token })

describe('an export', () => {
  test('contains what the account has, in valid JSON, and no secret', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    const { id: key_id, key } = await makeKey(testContext, person)
    const job = await submit(testContext, person)
    const { path } = await makeLink(testContext, person)
    const order = await buy(testContext, person, {
      package_id: (await listPackage(testContext)).id,
      provider: 'sandbox_card',
    })
    await subscribe(testContext, person, (await listPlan(testContext)).id, { months: 12 })
    await call('GET', '/api/v1/webhooks/secret', { token: person.token })
    const answer = await readExport(person)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(answer.headers.get('content-disposition')).toContain('account.json')
    const shown = AccountExport.strict().parse(answer.json)
    expect(shown.account).toMatchObject([{ id: person.id, email: person.email, has_password: true }])
    expect(shown.api_keys).toMatchObject([{ id: key_id, enabled: true }])
    expect(shown.jobs).toMatchObject([{ id: job, filename: 'clip.mp4', status: 'queued' }])
    expect(shown.orders.map(({ order_id }) => order_id)).toContain(order)
    const accepted = listAccepted(await loadLegalTexts(deps), 'en')
    expect(shown.orders.map(({ accepted_documents }) => accepted_documents)).toEqual([accepted, accepted])
    expect(shown.subscription_months).toHaveLength(12)
    expect(shown.ledger.map(({ entry_type }) => entry_type)).toEqual(
      expect.arrayContaining(['daily_free', 'signup_bonus', 'debit', 'purchase', 'subscription']),
    )
    const secrets = [key, path.split('/').at(-1) ?? '', 'scrypt', 'whsec_', 'token_hash', 'unsubscribe']
    for (const secret of secrets) expect(answer.text).not.toContain(secret)
  })

  test('contains nothing of another account', async () => {
    const [person, other] = [await register(testContext), await register(testContext)]
    const job = await submit(testContext, other)
    const { text } = await readExport(person)
    expect(text).not.toContain(job)
    expect(text).not.toContain(other.email)
  })

  test('has the documented sections, each with a row of its own account only', async () => {
    const { json } = await readExport(await register(testContext))
    const names = Object.keys(AccountExport.shape)
    expect(Object.keys(json)).toEqual(names)
    expect(['exported_at', ...SECTIONS.map(({ name }) => name)]).toEqual(names)
  })

  test('contains every table with a column of accounts, or names why not', () => {
    const exported = new Set(SECTIONS.map(({ table }) => getTableConfig(table).name))
    const ofAccounts = Object.values<unknown>(tables)
      .filter((table) => is(table, SQLiteTable))
      .map((table) => getTableConfig(table))
      .filter(({ columns, foreignKeys }) => {
        const references = foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)
        return columns.some(({ name }) => /(^|_)account_id$/.test(name)) || references.includes('accounts')
      })
      .map(({ name }) => name)
    expect(ofAccounts.length).toBeGreaterThan(20)
    expect(ofAccounts.filter((name) => !exported.has(name)).toSorted()).toEqual(
      Object.keys(OMITTED).toSorted(),
    )
  })

  test('is streamed in pages that are bounded by rows and by bytes', async () => {
    const person = await register(testContext)
    const job = await submit(testContext, person)
    await deps.db.$client.execute({
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
        INSERT INTO jobs (id, account_id, service_slug, operation_key, params, dispatch, source, status, tariff,
          estimated_cost, moves, heard_at, created_at)
        SELECT id || '-' || i, account_id, service_slug, operation_key,
          json_object('text', printf('%.*c', 500000, 'x')), dispatch, source, 'done', tariff, 2, 1, heard_at, created_at
        FROM jobs, n WHERE id = ?`,
      args: [job],
    })
    const jobs = SECTIONS.find(({ name }) => name === 'jobs')
    if (jobs === undefined) throw new Error('The export has no jobs.')
    const first = await readPage({ db: deps.db, archive: null }, jobs, person.id, undefined)
    expect(first.rows.length).toBeGreaterThan(1)
    expect(first.rows.length).toBeLessThan(10)
    const { json } = await readExport(person)
    expect(json.jobs).toHaveLength(31)
    expect(new Set(json.jobs.map(({ id }) => id)).size).toBe(31)
  })

  test('is limited to three a day, and needs a session', async () => {
    const context = await makeLimitedContext()
    const person = await register(context)
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) {
      statuses.push((await context.call('GET', PATH, { token: person.token })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    const { key } = await makeKey(testContext, await register(testContext))
    expect((await call('GET', PATH, { key })).status).toBe(401)
  })
})

test.each(SECTIONS.map(({ name, ...section }) => ({ name, section })))(
  'the rows of $name are read in the order of an index, without scanning the table',
  async ({ section }) => {
    const { table, owner, order } = section
    const query = deps.db.select({ order }).from(table).where(eq(owner, 1)).orderBy(order)
    const { sql, params } = query.toSQL()
    const { rows } = await deps.db.$client.execute({
      sql: `EXPLAIN QUERY PLAN ${sql}`,
      args: params as number[],
    })
    const plan = rows.map(({ detail }) => String(detail)).join('; ')
    expect(plan).toContain('SEARCH')
  },
)
