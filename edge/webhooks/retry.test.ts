import { expect, test } from 'vitest'
import { eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { makeReceiver, type Receiver } from '../../test/edge/worker/receivers.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { listDueWebhooks } from './queries.ts'
import { retryWebhooks } from './retry.ts'

/** The receivers run on this machine. */
const testContext = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call, deps } = testContext

function query(sql: string, ...args: (string | number)[]) {
  return deps.db.$client.execute({ sql, args })
}

/** Creates webhooks of one account that failed once. `due_at` is when they are due again, in milliseconds. */
async function refusedWebhooks(person: Person, receiver: Receiver, count: number, due_at: number) {
  await receiver.setMode({ status: 500 })
  const body = { ...SUBMISSION, webhook_url: receiver.url }
  const submits = Array.from({ length: count }, () =>
    call('POST', '/api/v1/jobs', { token: person.token, body }),
  )
  const jobs = (await Promise.all(submits)).map(({ json }) => json.id)
  await Promise.all(jobs.map((id) => report(testContext, finished(id, FAILED))))
  await testContext.settled()
  for (const id of jobs)
    await query('UPDATE outbox SET due_at = ? WHERE id LIKE ?', due_at, `webhook:msg_${id}_%`)
}

const receivedBy = async (receiver: Receiver) => (await receiver.received()).length

test('an account whose receiver hangs has one attempt at a time and does not delay other accounts', async () => {
  const [hanging, quick] = [makeReceiver(), makeReceiver()]
  await refusedWebhooks(await register(testContext), hanging, 5, 1)
  await refusedWebhooks(await register(testContext), quick, 5, 2)
  await hanging.setMode('silent')
  await quick.setMode({ status: 204 })
  const run = retryWebhooks(deps)
  await eventually('all of the quick one', async () => (await receivedBy(quick)) === 10, 5000)
  expect(await receivedBy(hanging)).toBe(6)
  await hanging.setMode({ status: 204 })
  await run
  expect(await receivedBy(hanging)).toBe(10)
})

test('the receivers of an account take turns', async () => {
  const person = await register(testContext)
  const [many, few] = [makeReceiver(), makeReceiver()]
  await refusedWebhooks(person, many, 4, 1)
  await refusedWebhooks(person, few, 2, 2)
  const due = await listDueWebhooks(deps.db, 3, 1000)
  const own = due.filter(({ accountId }) => accountId === person.id).map(({ receiver }) => receiver)
  expect(own).toEqual([many.url, few.url, many.url, few.url, many.url, many.url])
  for (const receiver of [many, few]) await receiver.setMode({ status: 204 })
  await retryWebhooks(deps)
})

test('an impossible attempt is reported, and the attempts after it are made', async () => {
  const receiver = makeReceiver()
  const person = await register(testContext)
  await refusedWebhooks(person, receiver, 5, 1)
  const unreadable = `webhook:${crypto.randomUUID()}`
  await query(
    `INSERT INTO outbox (id, kind, payload, due_at, created_at)
     SELECT ?, 'webhook', json_object('delivery_id', id), 0, 0 FROM webhook_deliveries WHERE account_id = ? LIMIT 1`,
    unreadable,
    person.id,
  )
  await receiver.setMode({ status: 204 })
  await expect(retryWebhooks(deps)).rejects.toThrow('retry_until')
  expect(await receivedBy(receiver)).toBe(10)
  await query('DELETE FROM outbox WHERE id = ?', unreadable)
})

test('effects of a deleted delivery are removed', async () => {
  const id = `webhook:${crypto.randomUUID()}`
  const payload = JSON.stringify({ delivery_id: 'msg_gone', retry_until: 1 })
  await query(
    "INSERT INTO outbox (id, kind, payload, due_at, created_at) VALUES (?, 'webhook', ?, 0, 0)",
    id,
    payload,
  )
  await retryWebhooks(deps)
  expect((await query('SELECT id FROM outbox WHERE id = ?', id)).rows).toEqual([])
})
