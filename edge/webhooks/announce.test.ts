import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register } from '../../test/edge/worker/people.ts'
import { commit } from '../platform/database/commit.ts'
import { effectStatements } from '../platform/outbox/queries.ts'
import { announce, type WebhookEvent } from './announce.ts'
import type { Subscriber } from './endpoint-queries.ts'

const { deps } = makeTestContext()

const subscriber = (events: Subscriber['events']): Subscriber => {
  const id = crypto.randomUUID()
  return { id, url: `http://127.0.0.1:9/${id}`, events }
}

const event = (accountId: number | null, webhookUrl: string | null = null): WebhookEvent => ({
  ...{ type: 'job.canceled', subjectId: crypto.randomUUID(), accountId, webhookUrl },
})

test('the largest batch and the most endpoints fit in one commit', async () => {
  const { id } = await register(makeTestContext())
  const endpoints = Array.from({ length: 10 }, () => subscriber(['*']))
  const events = Array.from({ length: 200 }, () => event(id, 'http://127.0.0.1:9/own'))
  const { statements, effects } = announce(deps, events, endpoints, 1)
  await commit(deps.db, [...statements, ...effectStatements(deps.db, effects, Number.MAX_SAFE_INTEGER / 2)])
  const sql = 'SELECT count(*) AS deliveries FROM webhook_deliveries WHERE account_id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [id] })
  expect([rows[0]?.deliveries, effects.length]).toEqual([2200, 2200])
  await deps.db.$client.execute({ sql: 'DELETE FROM outbox WHERE created_at > 4e15', args: [] })
  await expect(commit(deps.db, statements)).rejects.toThrow('UNIQUE')
})

test('only endpoints that are subscribed receive an event, and anonymous callers receive none', () => {
  const [all, other] = [subscriber(['*']), subscriber(['job.done'])]
  const announced = event(1)
  const { effects } = announce(deps, [announced], [all, other], 7)
  expect(effects.map(({ payload }) => payload)).toMatchObject([
    { delivery_id: `msg_${announced.subjectId}_job_canceled_${all.id}` },
  ])
  expect(announce(deps, [event(null, 'http://127.0.0.1:9/')], [], 7)).toEqual({ statements: [], effects: [] })
})

test('two events of one batch are two deliveries to each receiver', async () => {
  const { id } = await register(makeTestContext())
  const first: WebhookEvent = { ...event(id, 'http://127.0.0.1:9/own'), type: 'batch.failed' }
  const second: WebhookEvent = { ...first, type: 'batch.done' }
  const endpoints = [subscriber(['*'])]
  await commit(deps.db, announce(deps, [first], endpoints, 1).statements)
  await commit(deps.db, announce(deps, [second], endpoints, 2).statements)
  await expect(commit(deps.db, announce(deps, [second], endpoints, 3).statements)).rejects.toThrow('UNIQUE')
  const sql = 'SELECT id, type FROM webhook_deliveries WHERE account_id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [id] })
  expect(rows.map(({ type }) => type).toSorted()).toEqual([
    ...['batch.done', 'batch.done', 'batch.failed', 'batch.failed'],
  ])
  for (const row of rows) expect(row.id).not.toContain('.')
})
