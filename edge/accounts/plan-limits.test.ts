import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { LOST_QUEUE, makeTestContext, type TestContext, timeOf } from '../../test/edge/worker/context.ts'
import { actAtCheckout, CONSENT, order, sendCallbacks } from '../../test/edge/worker/payments.ts'
import { type Person, register, SUBMISSION, showJob, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { listPlan } from '../../test/edge/worker/shop.ts'
import { age, showTerm, subscribe } from '../../test/edge/worker/terms.ts'
import { runScheduled } from '../scheduled.ts'
import { plans } from '../tables.ts'

const HOUR_MS = 60 * 60 * 1000
/** The queue drops every dispatch, so jobs stay open. */
const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
/** Returns a fresh isolate, because each isolate caches an account's plan for a few seconds. */
const fresh = () => makeTestContext({ DISPATCH: LOST_QUEUE })

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext)
  const limits = {
    priority: 4,
    requestsPerMinute: 123,
    requestsPerDay: 4567,
    inFlightMax: 2,
    throttled: true,
  }
  await testContext.deps.db.update(plans).set(limits).where(eq(plans.id, plan.id))
})

async function subscriber(): Promise<Person> {
  const person = await register(testContext)
  await subscribe(testContext, person, plan.id, { renews: false })
  return person
}

async function dispatchOf({ deps }: TestContext, job_id: string) {
  const sql = 'SELECT dispatch FROM jobs WHERE id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [job_id] })
  return JSON.parse(String(rows[0]?.dispatch))
}

async function uploadLifeHours(person: Person): Promise<number> {
  const bytes = new Uint8Array(8)
  const { key } = await upload(fresh(), person, { filename: 'a.mp4', content_type: 'video/mp4', bytes })
  const sql = 'SELECT expires_at - created_at AS lives FROM uploads WHERE key = ?'
  const { rows } = await testContext.deps.db.$client.execute({ sql, args: [key] })
  return Number(rows[0]?.lives) / HOUR_MS
}

describe('plan limits', () => {
  test('apply to requests', async () => {
    const person = await subscriber()
    const policy = async () => {
      const { headers } = await fresh().call('GET', '/api/v1/me/ping', { token: person.token })
      return headers.get('ratelimit-policy')
    }
    expect(await policy()).toBe('"minute";q=123;w=60, "day";q=4567;w=86400')
    await age(testContext, person, 31)
    expect(await policy()).not.toContain('q=123;')
  })

  test('apply to jobs in flight, and to the priority, hold and duration ceiling of each job', async () => {
    const person = await subscriber()
    const [first] = [await submit(fresh(), person), await submit(fresh(), person)]
    expect(await dispatchOf(testContext, first ?? '')).toMatchObject({
      tier: 'paid',
      priority: 40,
      hold_ms: 20_000,
      max_input_seconds: 180 * 60,
    })
    const refused = await fresh().call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_jobs_in_flight'])
  })

  test('follow the plan that paid for the current month, not the order in which two checkouts were paid', async () => {
    const other = await listPlan(testContext)
    const person = await register(testContext)
    // Both orders are created before either is paid, because the second one would be refused afterwards.
    const ids = [
      await order(testContext, person, { plan_id: plan.id }),
      await order(testContext, person, { plan_id: other.id }),
    ]
    for (const id of ids) await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    const [first] = [await submit(fresh(), person), await submit(fresh(), person)]
    expect(await dispatchOf(testContext, first ?? '')).toMatchObject({ priority: 40, hold_ms: 20_000 })
    expect(await showTerm(testContext, person)).toMatchObject({ plan_name: 'Tried', months_total: 2 })
    await age(testContext, person, 30)
    await runScheduled(testContext.deps)
    expect(await dispatchOf(testContext, await submit(fresh(), person))).toMatchObject({ hold_ms: 0 })
    const refused = await fresh().call('POST', '/api/v1/billing/subscribe', {
      token: person.token,
      body: { ...CONSENT, plan_id: plan.id },
    })
    expect(refused.status).toBe(409)
  })

  test('keep uploads and results for a week; a free account keeps them for a day', async () => {
    const person = await subscriber()
    expect(await uploadLifeHours(person)).toBe(168)
    expect(await uploadLifeHours(await register(testContext))).toBe(24)
    const id = await submit(fresh(), person)
    // The plan at submission determines retention, even if it ends before the job does.
    await age(testContext, person, 31)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const { result, finished_at } = await showJob(fresh(), person, id)
    const lives_ms = timeOf(result?.expires_at) - timeOf(finished_at)
    expect(lives_ms / HOUR_MS).toBe(168)
  })
})
