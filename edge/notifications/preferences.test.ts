import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Locale } from '../../shared/text/texts.ts'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import type { RenderedEmail } from '../emails/rules/email.ts'
import { sendQueuedEmail } from '../emails/send.ts'
import { accounts, emailPreferences, outbox, productNews } from '../tables.ts'
import { findPreferences } from './queries.ts'
import { summaryTimes } from './rules/preferences.ts'
import { sendJobSummaries } from './send-job-summaries.ts'
import { sendNewsEmails } from './send-product-news.ts'

/** A mail server is configured, but these tests read emails from the outbox before they are sent. */
const testContext = makeTestContext({ SMTP_HOST: 'mail.example.com', SMTP_SECURE: 'none' })
const { call, deps } = testContext
const HOUR_MS = 60 * 60 * 1000
const PREFERENCES = '/api/v1/me/notifications'

const sent: { to: string; email: RenderedEmail }[] = []
const mailer = {
  send: async (_id: string, to: string, email: RenderedEmail) => {
    sent.push({ to, email })
  },
}
const at = (now: number) => ({ ...depsAt(testContext, { now: () => now }), mailer })

async function confirmed(locale: Locale = 'en'): Promise<Person> {
  const person = await register(testContext)
  await deps.db.update(accounts).set({ locale }).where(eq(accounts.id, person.id))
  await confirmAddress(deps, person.id)
  return person
}

async function finish(person: Person, isDone = true): Promise<void> {
  const id = await submit(testContext, person)
  await report(testContext, finished(id, isDone ? doneOutcome(id, 1) : FAILED))
}

/** Deletes the preferences, as if an earlier version had verified the account. */
const forgetPreferences = ({ id }: Person) =>
  deps.db.delete(emailPreferences).where(eq(emailPreferences.accountId, id))

const choose = (person: Person, body: object) => call('PATCH', PREFERENCES, { token: person.token, body })
const findDue = async ({ id }: Person) => (await findPreferences(deps.db, id))?.dueAt

/** Reads the account's pending emails. */
async function findEmails(prefix: string) {
  return deps.db
    .select()
    .from(outbox)
    .where(like(outbox.id, `mail:${prefix}%`))
}

/** Runs the task concurrently in two isolates, three times. */
async function runSummaries(now: number): Promise<void> {
  for (let run = 0; run < 3; run++) {
    await Promise.all([sendJobSummaries(at(now)), sendJobSummaries(at(now))])
  }
}

async function deliver(prefix: string): Promise<RenderedEmail[]> {
  const emails = await findEmails(prefix)
  const before = sent.length
  for (const { id, payload } of emails) await sendQueuedEmail({ ...deps, mailer }, id, payload)
  return sent.slice(before).map(({ email }) => email)
}

test('a day with finished studio jobs is reported once, in the language of the account', async () => {
  const person = await confirmed('uk')
  await finish(person)
  await finish(person, false)
  const due = Number(await findDue(person))
  expect(due).toBe(summaryTimes(Date.now()).daily)
  await runSummaries(due - 1)
  expect(await findEmails(`jobs:${person.id}:`)).toEqual([])
  await runSummaries(due)
  const [email, ...others] = await deliver(`jobs:${person.id}:`)
  expect([email?.subject, others]).toEqual(['Ваші завершені завдання', []])
  expect(email?.text).toContain('Готово: 1, з помилкою: 1')
  expect(email?.text).toContain('clip.mp4 (compress): готово')
  expect(await findDue(person)).toBeNull()
  await runSummaries(due + 24 * HOUR_MS)
  expect(await findEmails(`jobs:${person.id}:`)).toHaveLength(1)
})

test('jobs submitted by API, unverified accounts and opted-out accounts get no report', async () => {
  const program = await confirmed()
  const { key } = await makeKey(testContext, program)
  const id = (await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION })).json.id
  await report(testContext, finished(id, doneOutcome(id, 1)))
  const unconfirmed = await register(testContext)
  expect((await choose(unconfirmed, { job_notifications: 'each' })).status).toBe(200)
  const off = await confirmed()
  expect((await choose(off, { job_notifications: 'off' })).json).toEqual({
    email_verified: true,
    job_notifications: 'off',
    product_news: true,
  })
  await finish(unconfirmed)
  await finish(off)
  for (const person of [program, unconfirmed, off]) expect(await findDue(person)).toBeNull()
})

test('an account verified by an earlier version has the default preferences', async () => {
  const person = await confirmed()
  await forgetPreferences(person)
  await finish(person)
  const due = Number(await findDue(person))
  expect(due).toBe(summaryTimes(Date.now()).daily)
  await runSummaries(due)
  const [email] = await deliver(`jobs:${person.id}:`)
  expect(email?.text).toContain('1 done, 0 failed')
  expect(email?.unsubscribe_url).toMatch(/\/unsubscribe\/\w{20,}\/jobs$/)
})

test('jobs and batches are reported promptly when requested; those that end during a run are in the next report', async () => {
  const person = await confirmed()
  await choose(person, { job_notifications: 'each' })
  await finish(person)
  const due = Number(await findDue(person))
  expect(due - Date.now()).toBeLessThan(5 * 60_000)
  // The next job ends later than the time on this run's clock.
  await finish(person)
  await deps.db.run(`UPDATE jobs SET finished_at = ${due + 1} WHERE id = (
    SELECT id FROM jobs WHERE account_id = ${person.id} ORDER BY finished_at DESC LIMIT 1)`)
  await runSummaries(due)
  expect(await findEmails(`jobs:${person.id}:`)).toHaveLength(1)
  const next = Number(await findDue(person))
  expect(next).toBeGreaterThan(due)
  await runSummaries(next)
  expect((await deliver(`jobs:${person.id}:`)).map(({ text }) => /\d done/.exec(text)?.[0])).toEqual([
    '1 done',
    '1 done',
  ])
})

test('jobs that finished while emails were off are not reported later', async () => {
  const person = await confirmed()
  await choose(person, { job_notifications: 'off' })
  await finish(person)
  await finish(person)
  const earlier = (column: string, ms: number) =>
    `${column} = ${column} - ${ms} WHERE account_id = ${person.id}`
  await deps.db.run(`UPDATE email_preferences SET ${earlier('notified_at', HOUR_MS)}`)
  await deps.db.run(`UPDATE jobs SET ${earlier('finished_at', HOUR_MS / 2)}`)
  await choose(person, { job_notifications: 'daily' })
  await choose(person, { job_notifications: 'each' })
  await finish(person)
  await runSummaries(Number(await findDue(person)))
  const [email, ...others] = await deliver(`jobs:${person.id}:`)
  expect([email?.text, others]).toEqual([expect.stringContaining('1 done, 0 failed'), []])
})

test('an unsubscribe link asks first and then stops its emails without sign-in, including pending ones', async () => {
  const person = await confirmed()
  await finish(person)
  await runSummaries(Number(await findDue(person)))
  const [email] = await deliver(`jobs:${person.id}:`)
  const url = new URL(email?.unsubscribe_url ?? '')
  expect([email?.text.includes(url.href), email?.html.includes(url.href)]).toEqual([true, true])
  expect((await call('HEAD', `${url.pathname}/`)).status).toBe(200)
  const page = await call('GET', url.pathname)
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect((await findPreferences(deps.db, person.id))?.jobNotifications).toBe('daily')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ended = await call('POST', url.pathname, { raw: 'List-Unsubscribe=One-Click', headers })
  expect(ended.status).toBe(200)
  expect((await call('GET', PREFERENCES, { token: person.token })).json).toMatchObject({
    job_notifications: 'off',
    product_news: true,
  })
  expect(await deliver(`jobs:${person.id}:`)).toEqual([])
})

test.each([
  ['GET', '/unsubscribe/nobody/jobs'],
  ['HEAD', '/unsubscribe/nobody/jobs'],
  ['POST', '/unsubscribe/nobody/jobs'],
  ['GET', '/unsubscribe/nobody/bills'],
  ['GET', '/unsubscribe/nobody/jobs/'],
  ['HEAD', '/unsubscribe/nobody/jobs/'],
  ['POST', '/unsubscribe/nobody/jobs/'],
  ['GET', '/unsubscribe//nobody/jobs'],
])('%s %s is an unknown link', async (method, path) => {
  expect((await call(method, path)).status).toBe(404)
})

test('product news is sent once to each verified subscriber, in the account language, with an audit row', async () => {
  const { token } = await registerAdministrator(testContext)
  const [first, second, quiet] = [await confirmed('ru'), await confirmed('uk'), await confirmed()]
  const stranger = await register(testContext)
  await forgetPreferences(second)
  await choose(quiet, { product_news: false })
  const body = {
    en: { subject: 'Faster videos', text: 'They are twice as fast.\n\nTry it.' },
    uk: { subject: 'Швидші відео', text: 'Удвічі швидше.' },
  }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const begin = () => call('POST', '/api/v1/admin/product-news', { token, body, headers })
  const [answer, repeated] = [await begin(), await begin()]
  expect([answer.status, repeated.json]).toEqual([202, answer.json])
  const { id } = answer.json
  for (;;) {
    await Promise.all([sendNewsEmails(at(Date.now())), sendNewsEmails(at(Date.now()))])
    const [news] = await deps.db.select().from(productNews).where(eq(productNews.id, id))
    if (news?.finishedAt) break
  }
  const subjects = async ({ id: accountId }: Person) =>
    (await deliver(`news:${id}:${accountId}`)).map(({ subject }) => subject)
  expect(await subjects(first)).toEqual(['Faster videos'])
  expect(await subjects(second)).toEqual(['Швидші відео'])
  expect([await subjects(quiet), await subjects(stranger)]).toEqual([[], []])
  const audit = await call('GET', `/api/v1/admin/audit?target=news:${id}`, { token })
  expect(audit.json).toMatchObject([{ action: 'news.send', after: body }])
})
