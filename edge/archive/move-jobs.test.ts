import { env as platform } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { makeLink, showSession } from '../../test/edge/worker/links.ts'
import { type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { eraseContent, eraseEffect } from '../account-deletion/erase-content.ts'
import { newJob, type StoredJob } from '../jobs/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { batches, jobs, webhookDeliveries } from '../tables.ts'
import { moveOldJobs } from './move-jobs.ts'
import { readRows, writeRows } from './queries.ts'

const { TEST_ARCHIVE_URL } = platform as unknown as Record<string, string>
const testContext = makeTestContext({ ARCHIVE_DATABASE_URL: TEST_ARCHIVE_URL })
const { call, deps } = testContext
const archive = found(deps.archive)

let person: Person
beforeAll(async () => {
  person = await register(testContext)
})

/** Inserts a job that ended some days ago, and whose files are deleted. */
async function insertJob(owner: Person, days: number, given: Partial<StoredJob> = {}): Promise<string> {
  const id = crypto.randomUUID()
  const at = Date.now() - days * DAY_MS
  const job = newJob({
    ...{ id, accountId: owner.id, serviceSlug: 'video', operationKey: 'compress', params: SUBMISSION.params },
    ...{ dispatch: { filename: 'a.mp4', job_id: id } as never, source: 'web', repeatOf: null },
    ...{ estimatedCost: 0, createdAt: at },
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
  })
  const end = { status: 'done', finalCost: 0, transitions: 3, finishedAt: at, purgedAt: at } as const
  await deps.db.insert(jobs).values({ ...job, ...end, ...given })
  return id
}

async function isStored(database: typeof archive, id: string): Promise<boolean> {
  return (await database.all(sql`SELECT 1 FROM jobs WHERE id = ${id}`)).length > 0
}

/** Where a job is. */
const placesOf = async (id: string) => ({
  db: await isStored(deps.db, id),
  archive: await isStored(archive, id),
})
const MOVED = { db: false, archive: true }
const STAYED = { db: true, archive: false }

const show = async (path: string, { token }: Person) => call('GET', path as '/api/v1/jobs', { token })

/** Lists ids page by page. `betweenPages` runs after each page. */
async function listAll(path: string, owner: Person, betweenPages = async () => {}): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, json, headers, text } = await show(next, owner)
    expect(status, text).toBe(200)
    ids.push(...(json as { id: string }[]).map(({ id }) => id))
    const query = nextQuery(headers)
    next = query && `${path.split('?')[0]}?${query}`
    await betweenPages()
  }
  return ids
}

describe('an archived job', () => {
  test('is shown, listed, filtered and exported as before, and only once', async () => {
    const owner = await register(testContext)
    const old = await Promise.all(
      [50, 45, 40, 35].map((days, index) =>
        insertJob(owner, days, { tag: index % 2 ? 'odd' : 'even', error: 'e', metadata: { index } }),
      ),
    )
    const recent = await Promise.all([2, 1].map((days) => insertJob(owner, days, { tag: 'odd' })))
    const newest = [...old, ...recent].toReversed()
    const paths = [
      '/api/v1/jobs?limit=1',
      '/api/v1/jobs?limit=4',
      '/api/v1/jobs?offset=1&limit=2',
      '/api/v1/jobs?offset=5&limit=2',
      '/api/v1/jobs?tag=odd&limit=1',
      '/api/v1/jobs?status=done&operation_key=compress&limit=2',
      '/api/v1/jobs?status=failed',
      `/api/v1/jobs?created_before=${new Date(Date.now() - 38 * DAY_MS).toISOString()}&limit=1`,
      `/api/v1/jobs?created_after=${new Date(Date.now() - 42 * DAY_MS).toISOString()}&limit=2`,
    ]
    const read = async () => ({
      lists: await Promise.all(paths.map((path) => listAll(path, owner))),
      jobs: await Promise.all(newest.map(async (id) => (await show(`/api/v1/jobs/${id}`, owner)).json)),
      exported: (
        (await call('GET', '/api/v1/auth/me/export', { token: owner.token })).json as {
          jobs: object[]
        }
      ).jobs,
    })
    const before = await read()
    expect(before.lists[0]).toEqual(newest)
    await moveOldJobs(deps)
    for (const id of old) expect(await placesOf(id)).toEqual(MOVED)
    for (const id of recent) expect(await placesOf(id)).toEqual(STAYED)
    expect(await read()).toEqual(before)
    expect((await call('POST', `/api/v1/jobs/${old[0]}/cancel` as never, { token: owner.token })).code).toBe(
      'job_already_finished',
    )
    const events = await call('GET', `/api/v1/jobs/${old[0]}/events` as never, { token: owner.token })
    expect(events.text).toContain('"status":"done"')
    const repeated = await call('POST', `/api/v1/jobs/${old[0]}/repeat` as never, { token: owner.token })
    expect(repeated.status).toBe(201)
    const stranger = await register(testContext)
    expect((await show(`/api/v1/jobs/${old[0]}`, stranger)).code).toBe('job_not_found')
  })

  test('is neither missed nor repeated by a reader who pages while it moves', async () => {
    const owner = await register(testContext)
    const ids: string[] = []
    for (const days of [60, 55, 50, 33, 20]) ids.push(await insertJob(owner, days))
    const moveNext = async () => {
      const left = await deps.db.all<{ id: string }>(
        sql`SELECT id FROM jobs WHERE account_id = ${owner.id} AND created_at < ${Date.now() - 31 * DAY_MS} LIMIT 1`,
      )
      const rows = await readRows(
        deps.db,
        'jobs',
        left.map(({ id }) => id),
      )
      await writeRows(archive, 'jobs', rows)
      await deps.db.run(sql`DELETE FROM jobs WHERE id = ${String(left[0]?.id)}`)
    }
    expect(await listAll('/api/v1/jobs?limit=1', owner, moveNext)).toEqual(ids.toReversed())
  })

  test('is shown in the session of its upload link', async () => {
    const owner = await register(testContext)
    const link = await makeLink(testContext, owner)
    const job = await insertJob(owner, 40)
    await deps.db.run(
      sql`UPDATE upload_sessions SET status = 'done', uses = 1, job_id = ${job} WHERE account_id = ${owner.id}`,
    )
    const before = await showSession(testContext, owner, link)
    await moveOldJobs(deps)
    expect(await showSession(testContext, owner, link)).toEqual(before)
    expect(JSON.stringify(before)).toContain(job)
  })

  test('is erased with its account', async () => {
    const owner = await register(testContext)
    const job = await insertJob(owner, 40, { tag: 'personal' })
    await moveOldJobs(deps)
    await eraseContent(deps, eraseEffect(owner.id))
    const effects = await deps.db.all<{ id: string; payload: string }>(
      sql`SELECT id, payload FROM outbox WHERE id LIKE ${`erase:${owner.id}:%`}`,
    )
    for (const { id, payload } of effects) await eraseContent(deps, { id, payload: JSON.parse(payload) })
    const [row] = await readRows(archive, 'jobs', [job])
    expect(row).toMatchObject({ params: '{}', tag: null })
    expect(String(row?.dispatch)).not.toContain('a.mp4')
  })
})

describe('a run', () => {
  test('continues after a crash between the copy and the deletion', async () => {
    const owner = await register(testContext)
    const job = await insertJob(owner, 40)
    await writeRows(archive, 'jobs', await readRows(deps.db, 'jobs', [job]))
    expect(await placesOf(job)).toEqual({ db: true, archive: true })
    expect(await listAll('/api/v1/jobs?limit=1', owner)).toEqual([job])
    await moveOldJobs(deps)
    expect(await placesOf(job)).toEqual(MOVED)
  })

  test('moves a job again that a restored backup contains', async () => {
    const owner = await register(testContext)
    const job = await insertJob(owner, 40)
    const backup = await readRows(deps.db, 'jobs', [job])
    await moveOldJobs(deps)
    await writeRows(deps.db, 'jobs', backup)
    expect(await listAll('/api/v1/jobs?limit=1', owner)).toEqual([job])
    await moveOldJobs(deps)
    expect(await placesOf(job)).toEqual(MOVED)
  })

  test('keeps a job that changes after it was copied, and its new values', async () => {
    const owner = await register(testContext)
    const job = await insertJob(owner, 40)
    const change = async () => {
      await deps.db.run(sql`UPDATE jobs SET params = '{"note":"changed"}' WHERE id = ${job}`)
    }
    await moveOldJobs({ ...deps, archive: withMigrate(archive, change) })
    expect(await isStored(deps.db, job)).toBe(true)
    const shown = await show(`/api/v1/jobs/${job}`, owner)
    expect(shown.json).toMatchObject({ params: { note: 'changed' } })
    await moveOldJobs(deps)
    expect(await placesOf(job)).toEqual(MOVED)
    expect((await show(`/api/v1/jobs/${job}`, owner)).json).toEqual(shown.json)
  })

  test.each<[string, Partial<StoredJob>]>([
    ['is open', { status: 'processing', finishedAt: null }],
    ['ended recently', { finishedAt: Date.now() - 29 * DAY_MS }],
    ['has files', { result: { files: [], body: {} } as never }],
    ['was not charged its price', { finalCost: 2 }],
  ])('leaves a job that %s', async (_what, given) => {
    const job = await insertJob(person, 40, given)
    await moveOldJobs(deps)
    expect(await placesOf(job)).toEqual(STAYED)
    await deps.db.run(sql`DELETE FROM jobs WHERE id = ${job}`)
  })

  test('leaves a job with a pending webhook, and one whose owner awaits a summary', async () => {
    const owner = await register(testContext)
    const [announced, summarized] = [await insertJob(owner, 40), await insertJob(owner, 40)]
    const now = Date.now()
    await deps.db.insert(webhookDeliveries).values({
      ...{ id: crypto.randomUUID(), accountId: owner.id, subjectId: announced, type: 'job.done' as never },
      ...{ url: 'https://example.com', status: 'pending', createdAt: now, retryUntil: now },
    })
    await moveOldJobs(deps)
    expect([await placesOf(announced), await placesOf(summarized)]).toEqual([STAYED, MOVED])
    await deps.db.run(sql`UPDATE webhook_deliveries SET status = 'delivered' WHERE job_id = ${announced}`)
    await deps.db.run(sql`INSERT INTO email_preferences (account_id, unsubscribe_token, notified_at, due_at)
      VALUES (${owner.id}, ${crypto.randomUUID()}, ${now - 50 * DAY_MS}, ${now + DAY_MS})`)
    await moveOldJobs(deps)
    expect(await placesOf(announced)).toEqual(STAYED)
    await deps.db.run(sql`UPDATE email_preferences SET due_at = NULL WHERE account_id = ${owner.id}`)
    await moveOldJobs(deps)
    expect(await placesOf(announced)).toEqual(MOVED)
  })

  test('refuses to write into a database with accounts', async () => {
    const job = await insertJob(person, 40)
    await expect(moveOldJobs({ ...deps, archive: deps.db })).rejects.toThrow('with accounts')
    expect(await placesOf(job)).toEqual(STAYED)
  })

  test('without an archive does nothing', async () => {
    const job = await insertJob(person, 40)
    await moveOldJobs({ ...deps, archive: null })
    expect(await placesOf(job)).toEqual(STAYED)
  })
})

test('a batch moves with all its files, once the last one can', async () => {
  const owner = await register(testContext)
  const id = crypto.randomUUID()
  await deps.db.insert(batches).values({
    ...{ id, accountId: owner.id, serviceSlug: 'video', operationKey: 'trim', params: { of: id } },
    ...{ total: 3, tag: 'lot', createdAt: Date.now() - 40 * DAY_MS },
  })
  const files: string[] = []
  for (const batchPosition of [0, 1, 2]) {
    const finishedAt = Date.now() - (batchPosition === 2 ? 29 : 35) * DAY_MS
    files.push(await insertJob(owner, 40, { batchId: id, batchPosition, finishedAt }))
  }
  const read = async () =>
    Promise.all(
      [
        `/api/v1/studio/batches/${id}`,
        '/api/v1/studio/batches?status=done',
        '/api/v1/studio/batches?tag=lot',
      ].map(async (path) => (await show(path, owner)).json),
    )
  await moveOldJobs(deps)
  for (const file of files) expect(await placesOf(file)).toEqual(STAYED)
  await deps.db.run(sql`UPDATE jobs SET finished_at = ${Date.now() - 35 * DAY_MS} WHERE batch_id = ${id}`)
  const before = await read()
  expect(before[0]).toMatchObject({ id, status: 'done', total: 3 })
  await moveOldJobs(deps)
  for (const file of files) expect(await placesOf(file)).toEqual(MOVED)
  expect(await deps.db.all(sql`SELECT 1 FROM batches WHERE id = ${id}`)).toEqual([])
  expect(await read()).toEqual(before)
  const canceled = await call('POST', `/api/v1/studio/batches/${id}/cancel` as never, { token: owner.token })
  expect(canceled.code).toBe('batch_already_finished')
})

/** An archive that runs some work after each write. */
function withMigrate(database: typeof archive, after: () => Promise<void>): typeof archive {
  const client = new Proxy(database.$client, {
    get: (target, name) =>
      name === 'migrate'
        ? async (statements: Parameters<typeof target.migrate>[0]) => {
            const answer = await target.migrate(statements)
            await after()
            return answer
          }
        : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
  })
  return new Proxy(database, {
    get: (target, name) => (name === '$client' ? client : Reflect.get(target, name)),
  })
}
