import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import type { RenderedEmail } from '../emails/rules/email.ts'
import { sendQueuedEmail } from '../emails/send.ts'
import type { Locale } from '../platform/http/rules/locale.ts'
import { accounts, emailPreferences, outbox, productNews } from '../tables.ts'
import { findPreferences } from './queries.ts'
import { summaryTimes } from './rules/preferences.ts'
import { sendJobSummaries } from './send-job-summaries.ts'
import { sendNewsEmails } from './send-product-news.ts'

/** A mail server is configured; these tests take the emails before they get there. */
const testContext = makeTestContext({ SMTP_HOST: 'mail.example.com', SMTP_SECURE: 'none' })
const { call, deps } = testContext
const HOUR_MS = 60 * 60 * 1000
const PREFERENCES = '/api/v1/me/notifications'

const sent: { to: string; letter: RenderedEmail }[] = []
const mailer = {
  send: async (_id: string, to: string, letter: RenderedEmail) => {
    sent.push({ to, letter })
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

/** As a Worker from before preferences left the account when it confirmed it. */
const forgetPreferences = ({ id }: Person) =>
  deps.db.delete(emailPreferences).where(eq(emailPreferences.accountId, id))

const choose = (person: Person, body: object) => call('PATCH', PREFERENCES, { token: person.token, body })
const findDue = async ({ id }: Person) => (await findPreferences(deps.db, id))?.dueAt

/** The emails that wait for a person. */
async function findEmails(prefix: string) {
  return deps.db
    .select()
    .from(outbox)
    .where(like(outbox.id, `mail:${prefix}%`))
}

/** Runs the task as two Workers at once would. */
async function runSummaries(now: number): Promise<void> {
  for (let run = 0; run < 3; run++) {
    await Promise.all([sendJobSummaries(at(now)), sendJobSummaries(at(now))])
  }
}

async function deliver(prefix: string): Promise<RenderedEmail[]> {
  const emails = await findEmails(prefix)
  const before = sent.length
  for (const { id, payload } of emails) await sendQueuedEmail({ ...deps, mailer }, id, payload)
  return sent.slice(before).map(({ letter }) => letter)
}

test('a day with finished jobs of the studio is reported once, in the language of the account', async () => {
  const person = await confirmed('uk')
  await finish(person)
  await finish(person, false)
  const due = Number(await findDue(person))
  expect(due).toBe(summaryTimes(Date.now()).daily)
  await runSummaries(due - 1)
  expect(await findEmails(`jobs:${person.id}:`)).toEqual([])
  await runSummaries(due)
  const [letter, ...others] = await deliver(`jobs:${person.id}:`)
  expect([letter?.subject, others]).toEqual(['Ваші завершені завдання', []])
  expect(letter?.text).toContain('Готово: 1, з помилкою: 1')
  expect(letter?.text).toContain('clip.mp4 (compress): готово')
  expect(await findDue(person)).toBeNull()
  await runSummaries(due + 24 * HOUR_MS)
  expect(await findEmails(`jobs:${person.id}:`)).toHaveLength(1)
})

test('nothing is reported of jobs of programs, before an address is confirmed, and where nobody wants it', async () => {
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

test('an account that was confirmed by an earlier version has the defaults', async () => {
  const person = await confirmed()
  await forgetPreferences(person)
  await finish(person)
  const due = Number(await findDue(person))
  expect(due).toBe(summaryTimes(Date.now()).daily)
  await runSummaries(due)
  const [letter] = await deliver(`jobs:${person.id}:`)
  expect(letter?.text).toContain('1 done, 0 failed')
  expect(letter?.unsubscribe_url).toMatch(/\/unsubscribe\/\w{20,}\/jobs$/)
})

test('each job or batch is reported soon where that is wanted, and those that end meanwhile come next', async () => {
  const person = await confirmed()
  await choose(person, { job_notifications: 'each' })
  await finish(person)
  const due = Number(await findDue(person))
  expect(due - Date.now()).toBeLessThan(5 * 60_000)
  // The clock of this run is behind the end of the next job.
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

test('jobs that finished while nobody wanted emails are not reported later', async () => {
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
  const [letter, ...others] = await deliver(`jobs:${person.id}:`)
  expect([letter?.text, others]).toEqual([expect.stringContaining('1 done, 0 failed'), []])
})

test('the link of an email asks first, then ends emails of its kind without sign-in, also those under way', async () => {
  const person = await confirmed()
  await finish(person)
  await runSummaries(Number(await findDue(person)))
  const [letter] = await deliver(`jobs:${person.id}:`)
  const url = new URL(letter?.unsubscribe_url ?? '')
  expect([letter?.text.includes(url.href), letter?.html.includes(url.href)]).toEqual([true, true])
  const asked = await call('GET', url.pathname)
  expect([asked.status, asked.text.includes('<form method="post">')]).toEqual([200, true])
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
  ['POST', '/unsubscribe/nobody/jobs'],
  ['GET', '/unsubscribe/nobody/bills'],
])('%s %s is an unknown link', async (method, path) => {
  expect((await call(method, path)).status).toBe(404)
})

test('product news go once to each confirmed subscriber, in its language, with an audit row', async () => {
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
