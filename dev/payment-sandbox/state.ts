import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Time = z.number().int()
export const KINDS = ['card', 'crypto'] as const

/** How often and when an action's events are sent. */
export const CALLBACK_MODES = ['once', 'twice', 'late', 'never'] as const
export type CallbackMode = (typeof CALLBACK_MODES)[number]

/** A Paddle transaction, or a NOWPayments invoice with its single payment. */
const Payment = z.object({
  reference: z.string(),
  order_id: z.string(),
  kind: z.enum(KINDS),
  /** `renewal` means charged by a mandate without a checkout. */
  origin: z.enum(['checkout', 'renewal']),
  status: z.enum(['open', 'confirming', 'partially_paid', 'paid', 'past_due', 'expired', 'failed']),
  description: z.string(),
  amount_cents: z.number().int(),
  currency: z.string(),
  custom_data: z.record(z.string(), z.unknown()),
  return_url: z.string().nullable(),
  callback_url: z.string().nullable(),
  renews_every_days: z.number().int().nullable(),
  mandate: z.string().nullable(),
  /** For crypto, the percentage of the price that has arrived. */
  received_pct: z.number().int(),
  was_declined: z.boolean(),
  charged_back: z.boolean().default(false),
  /** The line item's id at Paddle, or the payment's id at NOWPayments. */
  part_id: z.string(),
  created_at: Time,
  updated_at: Time,
})
export type Payment = z.infer<typeof Payment>

const Mandate = z.object({
  id: z.string(),
  /** The order whose checkout created the mandate. */
  order_id: z.string(),
  status: z.enum(['active', 'past_due', 'paused', 'canceled']),
  description: z.string(),
  amount_cents: z.number().int(),
  currency: z.string(),
  every_days: z.number().int(),
  charges_fail: z.boolean(),
  next_charge_at: Time.nullable(),
  started_at: Time,
  updated_at: Time,
})
export type Mandate = z.infer<typeof Mandate>

const Refund = z.object({
  id: z.string(),
  action: z.enum(['refund', 'chargeback', 'chargeback_reverse']).default('refund'),
  transaction: z.string(),
  type: z.enum(['full', 'partial']),
  /** Amount before tax. */
  amount_cents: z.number().int(),
  reason: z.string(),
  status: z.enum(['pending_approval', 'approved', 'rejected']),
  created_at: Time,
  updated_at: Time,
})
export type Refund = z.infer<typeof Refund>

const SentEvent = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  order_id: z.string(),
  type: z.string(),
  url: z.string().nullable(),
  body: z.string(),
  created_at: Time,
  /** When the event is sent next; null means that it is not sent again automatically. */
  due_at: Time.nullable(),
  /** How many deliveries are still due. */
  copies_left: z.number().int(),
  /** Consecutive failures; delivery stops after `FAILURES_MAX`. */
  failures: z.number().int(),
  /** The response status of each attempt; null means no response. */
  answers: z.array(z.number().int().nullable()),
})
export type SentEvent = z.infer<typeof SentEvent>

const State = z.object({
  payments: z.array(Payment),
  mandates: z.array(Mandate),
  refunds: z.array(Refund),
  events: z.array(SentEvent),
  refunds_by_hand: z.boolean(),
})
export type State = z.infer<typeof State>

const EVENTS_MAX = 2000

export interface Store {
  state: State
  /** Must be called after each change, or a restart loses the change. */
  save(): void
}

/**
 * @param file if null, the state stays in memory
 * @throws if the file cannot be read
 */
export function openStore(file: string | null): Store {
  const state = file !== null && existsSync(file) ? readState(file) : emptyState()
  return {
    state,
    save() {
      if (state.events.length > EVENTS_MAX) state.events.splice(0, state.events.length - EVENTS_MAX)
      if (file === null) return
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

function emptyState(): State {
  return { payments: [], mandates: [], refunds: [], events: [], refunds_by_hand: false }
}

function readState(file: string): State {
  try {
    return State.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} cannot be read. Remove it to start over; it holds only sandbox payments.`, {
      cause,
    })
  }
}

const ID_CHARACTERS = 'abcdefghjkmnpqrstvwxyz0123456789'
const PADDLE_ID_LENGTH = 26

/** Creates an id like Paddle's: a prefix and 26 lowercase letters and digits. */
export function paddleId(prefix: string): string {
  const characters = Array.from(
    { length: PADDLE_ID_LENGTH },
    () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)],
  )
  return `${prefix}_${characters.join('')}`
}

/** Creates an id like NOWPayments': ten digits. */
export function numberId(): string {
  return String(randomInt(4_000_000_000, 10_000_000_000))
}
