import { expect } from 'vitest'
import { z } from 'zod'

const Event = z.looseObject({
  id: z.string(),
  kind: z.enum(['card', 'crypto']),
  type: z.string(),
  body: z.string(),
  headers: z.record(z.string(), z.string()),
  /** The status with which the service responded to each attempt. */
  answers: z.array(z.int().nullable()),
})
export type SandboxEvent = z.infer<typeof Event>

const State = z.looseObject({
  payments: z.array(z.looseObject({ reference: z.string(), status: z.string(), origin: z.string() })),
  mandates: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  refunds: z.array(z.looseObject({ id: z.string(), status: z.string(), amount_cents: z.int() })),
  events: z.array(Event),
})

/** Opens the payment sandbox's control interface: its state, actions, and events. */
export function openSandbox({ payments_url, api_url }: { payments_url: string; api_url: string }) {
  async function control<Answer>(schema: z.ZodType<Answer>, path: string, body?: object): Promise<Answer> {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(`${payments_url}/control${path}`, init)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return schema.parse(JSON.parse(text))
  }
  const show = (order_id: string) => control(State, `/orders/${order_id}`)
  return {
    show,
    /**
     * Runs an action on a checkout or its mandate.
     * @returns the resulting events
     */
    async act(order_id: string, action: string, callbacks = 'once', received_pct?: number) {
      const { events } = await show(order_id)
      await control(State, `/orders/${order_id}`, { action, callbacks, received_pct })
      return (await show(order_id)).events.slice(events.length)
    },
    /**
     * Resends events in the given order.
     * @returns the response status of each
     */
    async resend(order_id: string, events: readonly SandboxEvent[]): Promise<(number | null)[]> {
      const Answers = z.array(z.object({ status: z.int().nullable() }))
      const ids = events.map(({ id }) => id)
      const answers = await control(Answers, `/orders/${order_id}/events`, { ids })
      return answers.map(({ status }) => status)
    },
    /** Sets whether refunds wait for a decision instead of being approved automatically. */
    holdRefunds: (refunds_by_hand: boolean) => control(z.unknown(), '/settings', { refunds_by_hand }),
    decideRefund: (id: string, status: 'approved' | 'rejected', callbacks = 'once') =>
      control(z.unknown(), `/refunds/${id}`, { status, callbacks }),
    /**
     * Posts an event to the service, as anyone could.
     * @returns the response status
     */
    async deliver({ kind, body, headers }: Pick<SandboxEvent, 'kind' | 'body' | 'headers'>) {
      const url = `${api_url}/api/v1/billing/callbacks/sandbox_${kind}`
      const response = await fetch(url, { method: 'POST', body, headers })
      await response.body?.cancel()
      return response.status
    },
  }
}
