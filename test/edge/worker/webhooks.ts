import { expect } from 'vitest'
import { runScheduled } from '../../../edge/scheduled.ts'
import { eventually, type TestContext } from './context.ts'
import { type Person, submit } from './people.ts'
import type { Receiver } from './receivers.ts'
import { doneOutcome, finished, report } from './reports.ts'

export const ENDPOINTS = '/api/v1/webhooks/endpoints'
const DELIVERIES = '/api/v1/webhooks/deliveries'

/** Waits until a receiver has received the given number of webhooks. */
export const received = (receiver: Receiver, count: number) =>
  eventually(`${count} webhooks`, async () => {
    const all = await receiver.received()
    return all.length >= count && all
  })

/** Returns helpers for the steps that tests of webhook endpoints share. */
export function webhookDesk(testContext: TestContext) {
  const { call, deps } = testContext

  function change(sql: string, ...args: (string | number)[]) {
    return deps.db.$client.execute({ sql, args })
  }

  /** Makes an endpoint's next attempts due now. */
  async function retryNow({ id }: { id: string }): Promise<void> {
    await change("UPDATE outbox SET due_at = 0 WHERE kind = 'webhook' AND id LIKE ?", `webhook:msg_%${id}:%`)
    await runScheduled(deps)
  }

  return {
    change,
    retryNow,

    async makeEndpoint({ token }: Person, url: string, fields: object = {}) {
      const answer = await call('POST', ENDPOINTS, { token, body: { url, events: ['*'], ...fields } })
      expect(answer.status, answer.text).toBe(201)
      return answer.json
    },

    async showEndpoint({ token }: Person, id: string) {
      return (await call('GET', `${ENDPOINTS}/${id}`, { token })).json
    },

    /** @param query filters, beginning with `?` */
    async deliveries({ token }: Person, query = '') {
      const path = `${DELIVERIES}${query}` as typeof DELIVERIES
      const { status, json } = await call('GET', path, { token })
      expect(status).toBe(200)
      return json
    },

    async showDelivery({ token }: Person, id: string) {
      return (await call('GET', `${DELIVERIES}/${id}`, { token })).json
    },

    /** Ends a job and waits for the first attempts of its webhooks. @returns the id of the job */
    async endJob(person: Person, body = (id: string) => finished(id, doneOutcome(id, 1))) {
      const id = await submit(testContext, person)
      expect((await report(testContext, body(id))).status).toBe(200)
      await testContext.settled()
      return id
    },

    /** Ends the series of attempts of an endpoint's deliveries, so the next attempt is the last. */
    async endRetries({ id }: { id: string }): Promise<void> {
      await change('UPDATE webhook_deliveries SET retry_until = 1 WHERE endpoint_id = ?', id)
      const payload = "json_set(payload, '$.retry_until', 1)"
      await change(`UPDATE outbox SET payload = ${payload} WHERE id LIKE ?`, `webhook:msg_%${id}:%`)
    },
  }
}
