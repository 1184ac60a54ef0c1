import { describe, expect, test } from 'vitest'
import { LOST_QUEUE, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { order } from '../../test/edge/worker/payments.ts'
import {
  giveCredits,
  makeKey,
  type Person,
  register,
  SUBMISSION,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'
import { listPackage, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { subscribe } from '../../test/edge/worker/terms.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { findAccount } from '../accounts/queries.ts'
import { settleAccount } from '../credits/change-credits.ts'
import { commit } from '../platform/database/commit.ts'
import { effectStatements } from '../platform/outbox/queries.ts'
import { handleRecords } from '../statistics/handle-records.ts'
import { eraseContent, eraseEffect } from './erase-content.ts'

const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
const { call, deps } = testContext
const ME = '/api/v1/auth/me'

const query = async (sql: string, ...args: (string | number)[]) =>
  (await deps.db.$client.execute({ sql, args })).rows

const remove = ({ email, password, token }: Person, body: object = {}) =>
  call('DELETE', ME, { token, body: { confirm: email, current_password: password, ...body } })

/** Lists the emails to an address that are in the outbox. They stay there because there is no mail server. */
const listEmails = async ({ email }: Person) =>
  (await query(`SELECT payload FROM outbox WHERE kind = 'mail' AND payload ->> 'to' = ?`, email)).map(
    ({ payload }) => JSON.parse(String(payload)).content,
  )

/** Creates a webhook endpoint, sends it a test, and allows an origin. */
async function openReceivers({ token }: Person) {
  const endpoint = { url: 'http://93.184.215.14/', events: ['*'] }
  const { json } = await call('POST', '/api/v1/webhooks/endpoints', { token, body: endpoint })
  const origins = ['https://app.example.com']
  await call('PUT', '/api/v1/me/origins', { token, body: { origins } })
  const row = 'id, account_id, endpoint_id, job_id, type, url, status, created_at, retry_until'
  await query(
    `INSERT INTO webhook_deliveries (${row}) SELECT 'msg_' || id, account_id, id, 'job', 'job.done', url, 'pending', 1, 1
     FROM webhook_endpoints WHERE id = ?`,
    json.id,
  )
  await query(
    "INSERT INTO webhook_attempts (delivery_id, duration_ms, created_at) SELECT 'msg_' || ?, 1, 1",
    json.id,
  )
}

/** Copies a job, many of them created at the same time. */
const copyJob = (job: string, count: number, status = 'done') =>
  query(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO jobs (id, account_id, service_slug, operation_key, params, dispatch, source, status, tariff,
       estimated_cost, moves, heard_at, created_at)
     SELECT id || '-' || i, account_id, service_slug, operation_key, params, dispatch, source, ?, tariff,
       2, 1, heard_at, created_at + i / 300 FROM jobs, n WHERE id = ?`,
    count,
    status,
    job,
  )

/** Lists the effects in the outbox that erase the content of an account. */
const listErasures = async ({ id }: Person) =>
  (
    await query('SELECT id, payload FROM outbox WHERE id = ? OR id LIKE ?', `erase:${id}`, `erase:${id}:%`)
  ).map((row) => ({ id: String(row.id), payload: JSON.parse(String(row.payload)) }))

describe('deleting an account', () => {
  test('ends its credentials, erases its personal data, and keeps the ledger', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    await query(`UPDATE accounts SET full_name = 'Ada Lovelace', idp_subject = 's' WHERE id = ?`, person.id)
    await giveCredits(testContext, person, 500)
    const { key } = await makeKey(testContext, person)
    const { path } = await makeLink(testContext, person)
    await openReceivers(person)
    const answer = await remove(person)
    expect([answer.status, answer.json.expired_credits, answer.json.expired_paid_credits]).toEqual([
      200, 570, 500,
    ])
    const elsewhere = makeTestContext()
    expect((await call('GET', ME, { token: person.token })).status).toBe(401)
    expect((await elsewhere.call('GET', ME, { token: person.token })).status).toBe(401)
    expect((await elsewhere.call('GET', '/api/v1/me/ping', { key })).status).toBe(401)
    expect((await call('GET', path)).status).toBe(410)
    const body = { email: person.email, password: person.password }
    expect(
      (await call('POST', '/api/v1/auth/login', { body, headers: { 'cf-connecting-ip': freshAddress() } }))
        .code,
    ).toBe('invalid_credentials')
    expect(await findAccount(deps.db, person.id)).toMatchObject({
      ...{ email: `account-${person.id}@deleted.invalid`, fullName: null, passwordHash: null },
      ...{ idpSubject: null, emailVerifiedAt: null, isAdmin: false },
    })
    expect(await query('SELECT 1 FROM api_keys WHERE account_id = ?', person.id)).toEqual([])
    expect(await query('SELECT 1 FROM sessions WHERE account_id = ?', person.id)).toEqual([])
    expect(await query('SELECT 1 FROM email_preferences WHERE account_id = ?', person.id)).toEqual([])
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'allowed_origins']) {
      expect(await query(`SELECT 1 FROM ${table} WHERE account_id = ?`, person.id)).toEqual([])
    }
    const orphans =
      'SELECT 1 FROM webhook_attempts WHERE delivery_id NOT IN (SELECT id FROM webhook_deliveries)'
    expect(await query(orphans)).toEqual([])
    const rows = await query('SELECT amount, entry_type FROM ledger WHERE account_id = ?', person.id)
    expect(rows.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0)
    expect(rows.map(({ entry_type }) => entry_type)).toContain('purchase')
    expect((await settleAccount(deps, person.id)).balance).toBe(0)
    expect(await listEmails(person)).toEqual([
      { kind: 'account_deleted', expired_paid_credits: 500, ends_renewal: false },
    ])
  })

  test('cancels and refunds open jobs, lets files expire, and erases what jobs contain', async () => {
    const person = await register(testContext)
    const bytes = new Uint8Array([0xff, 0xd8, 0xff])
    const { key } = await upload(testContext, person, {
      filename: 'a.jpg',
      content_type: 'image/jpeg',
      bytes,
    })
    const job = await submit(testContext, person)
    expect((await remove(person)).status).toBe(200)
    const [stored] = await query('SELECT status, final_cost FROM jobs WHERE id = ?', job)
    expect(stored).toMatchObject({ status: 'canceled', final_cost: 0 })
    const [file] = await query('SELECT expires_at FROM uploads WHERE key = ?', key)
    expect(Number(file?.expires_at)).toBeLessThanOrEqual(Date.now())
    await eraseContent(deps, eraseEffect(person.id))
    await eraseContent(deps, eraseEffect(person.id))
    const [erased] = await query('SELECT params, dispatch, webhook_url FROM jobs WHERE id = ?', job)
    expect(erased?.params).toBe('{}')
    expect(String(erased?.dispatch)).not.toContain('clip.mp4')
    expect(JSON.parse(String(erased?.dispatch))).toMatchObject({ job_id: job, filename: '', params: {} })
  })

  test('cancels more open jobs than one commit can', async () => {
    const person = await register(testContext)
    await copyJob(await submit(testContext, person), 120, 'queued')
    expect((await remove(person)).status).toBe(200)
    const states = await query('SELECT DISTINCT status, final_cost FROM jobs WHERE account_id = ?', person.id)
    expect(states).toMatchObject([{ status: 'canceled', final_cost: 0 }])
  })

  test('erases every job of an account with many', async () => {
    const person = await register(testContext)
    const job = await submit(testContext, person)
    await copyJob(job, 450)
    await eraseContent(deps, eraseEffect(person.id))
    const left = `SELECT count(*) AS left FROM jobs WHERE account_id = ? AND params <> '{}'`
    expect((await query(left, person.id))[0]?.left).toBe(0)
  })

  test('erases everything else first, then a bounded number of jobs in each run', async () => {
    const person = await register(testContext)
    await makeLink(testContext, person)
    await copyJob(await submit(testContext, person), 450)
    const countLeft = async () => {
      const left = `SELECT count(*) AS jobs FROM jobs WHERE account_id = ? AND params <> '{}'`
      return Number((await query(left, person.id))[0]?.jobs)
    }
    const first = eraseEffect(person.id)
    await commit(deps.db, effectStatements(deps.db, [first], Date.now()))
    await eraseContent(deps, first, 1)
    expect(await countLeft()).toBe(251)
    const links = await query('SELECT params FROM upload_sessions WHERE account_id = ?', person.id)
    expect(links).toMatchObject([{ params: '{}' }])
    for (const left of [51, 0]) {
      const [next, ...others] = await listErasures(person)
      expect(next?.id).not.toBe(first.id)
      await eraseContent(deps, next ?? first, 1)
      expect([await countLeft(), others]).toEqual([left, []])
    }
  })

  test('drops request logs that arrive after the erasure', async () => {
    const person = await register(testContext)
    const other = await register(testContext)
    await remove(person)
    await eraseContent(deps, eraseEffect(person.id))
    const requests = [person, other].map(({ id }) => ({
      ...{ request_id: crypto.randomUUID(), account_id: id, key_id: null, method: 'DELETE', path: ME },
      ...{ status: 200, duration_ms: 1, source: 'web', ip_hash: 'hash', at: Date.now() },
    }))
    await handleRecords(deps, [{ kind: 'requests', requests }])
    const ids = requests.map(({ request_id }) => request_id)
    const rows = await query('SELECT account_id FROM request_logs WHERE request_id IN (?, ?)', ...ids)
    expect(rows.map(({ account_id }) => account_id)).toEqual([other.id])
  })

  test('ends the renewal of a plan, counts the months that are lost, and delivers no more', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    const plan = await listPlan(testContext)
    await subscribe(testContext, person, plan.id, { months: 12 })
    const answer = await remove(person, { refund: 'waive' })
    expect([answer.status, answer.json.expired_paid_credits]).toEqual([200, 12_000])
    const [term] = await query('SELECT * FROM subscriptions WHERE account_id = ?', person.id)
    expect(term).toMatchObject({ renewal_status: 'ended', renews_at: null })
    expect(Number(term?.ended_at)).toBeGreaterThan(0)
    await testContext.settled()
    const pending = await query(
      'SELECT 1 FROM outbox WHERE id = ?',
      `mandate:${term?.provider}:${term?.mandate}`,
    )
    expect(pending).toEqual([])
    expect(await listEmails(person)).toContainEqual({
      ...{ kind: 'account_deleted', expired_paid_credits: 12_000, ends_renewal: true },
    })
  })

  test.each([
    ['without the password', { current_password: undefined }, 400, 'current_password_required'],
    ['with a wrong password', { current_password: 'wrong password' }, 400, 'wrong_current_password'],
    ['with another address', { confirm: 'someone@example.com' }, 422, 'validation_failed'],
  ])('is refused %s, and changes nothing', async (_name, body, status, code) => {
    const person = await register(testContext)
    const job = await submit(testContext, person)
    const answer = await remove(person, body)
    expect([answer.status, answer.code]).toEqual([status, code])
    const [stored] = await query('SELECT status FROM jobs WHERE id = ?', job)
    expect(stored?.status).toBe('queued')
    expect((await call('GET', ME, { token: person.token })).status).toBe(200)
  })

  test('accepts the address in any case, and needs a session', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const body = { confirm: person.email, current_password: person.password }
    expect((await call('DELETE', ME, { key, body })).status).toBe(401)
    expect((await remove(person, { confirm: ` ${person.email.toUpperCase()} ` })).status).toBe(200)
  })

  test('without a password requires a recent sign-in', async () => {
    const person = await register(testContext)
    await query('UPDATE accounts SET password_hash = NULL WHERE id = ?', person.id)
    const later = makeTestContext()
    later.deps.clock.now = () => Date.now() + 11 * 60_000
    const body = { confirm: person.email }
    const refused = await later.call('DELETE', ME, { token: person.token, body })
    expect([refused.status, refused.code]).toEqual([403, 'recent_sign_in_required'])
    expect((await call('DELETE', ME, { token: person.token, body })).status).toBe(200)
  })

  test('is refused while a payment is in progress', async () => {
    const person = await register(testContext)
    const pack = (await listPackage(testContext)).id
    const id = await order(testContext, person, { package_id: pack, provider: 'sandbox_card' })
    await query(`UPDATE orders SET status = 'confirming' WHERE id = ?`, id)
    const answer = await remove(person)
    expect([answer.status, answer.code]).toEqual([409, 'payment_in_progress'])
    await query(`UPDATE orders SET status = 'waiting' WHERE id = ?`, id)
    expect((await remove(person)).status).toBe(200)
  })

  test('is refused to the last administrator', async () => {
    const administrator = await registerAdministrator(testContext)
    const others = await query(
      'SELECT id FROM accounts WHERE is_admin = 1 AND blocked_at IS NULL AND id <> ?',
      administrator.id,
    )
    await query('UPDATE accounts SET is_admin = 0 WHERE is_admin = 1 AND id <> ?', administrator.id)
    const answer = await remove(administrator)
    expect([answer.status, answer.code]).toEqual([409, 'last_administrator'])
    const successor = await registerAdministrator(testContext)
    expect((await remove(administrator)).status).toBe(200)
    for (const { id } of others) await query('UPDATE accounts SET is_admin = 1 WHERE id = ?', Number(id))
    await query('UPDATE accounts SET is_admin = 0 WHERE id = ?', successor.id)
  })

  test('of two administrators at once leaves one', async () => {
    await query('UPDATE accounts SET is_admin = 0 WHERE is_admin = 1')
    const both = [await registerAdministrator(testContext), await registerAdministrator(testContext)]
    const answers = await Promise.all(both.map((person) => remove(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('lets nothing be submitted afterwards, not even concurrently', async () => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 1000)
    const { key } = await makeKey(testContext, person)
    const submissions = Array.from({ length: 6 }, () =>
      call('POST', '/api/v1/jobs', { key, body: SUBMISSION }),
    )
    const [removed, ...answers] = await Promise.all([remove(person), ...submissions])
    expect(removed?.status).toBe(200)
    for (const { status } of answers) expect([201, 401, 429]).toContain(status)
    const open = `SELECT 1 FROM jobs WHERE account_id = ? AND status IN ('queued', 'processing')`
    expect(await query(open, person.id)).toEqual([])
    const sum = 'SELECT sum(amount) AS sum FROM ledger WHERE account_id = ?'
    expect((await query(sum, person.id))[0]?.sum).toBe(0)
    const checkout = await call('POST', '/api/v1/billing/checkout', {
      token: person.token,
      body: {
        package_id: (await listPackage(testContext)).id,
        accept_documents: true,
        accept_immediate: true,
      },
    })
    expect(checkout.status).toBe(401)
  })

  test('cannot be undone or charged by an administrator', async () => {
    const person = await register(testContext)
    await remove(person)
    const { token } = await registerAdministrator(testContext)
    const unblocked = await call('PATCH', `/api/v1/admin/accounts/${person.id}`, {
      token,
      body: { blocked: false },
    })
    expect([unblocked.status, unblocked.code]).toEqual([409, 'account_deleted'])
    const body = { account_id: person.id, credits: 5 }
    expect((await call('POST', '/api/v1/billing/admin/topup', { token, body })).code).toBe('account_deleted')
    const shown = await call('GET', `/api/v1/admin/accounts/${person.id}`, { token })
    expect(shown.json.deleted_at).not.toBeNull()
  })
})
