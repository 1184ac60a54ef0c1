import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Time = z.number().int()
export const KINDS = ['card', 'crypto'] as const

/** How often the callbacks of what was just done are sent, and when. */
export const CALLBACK_MODES = ['once', 'twice', 'late', 'never'] as const
export type CallbackMode = (typeof CALLBACK_MODES)[number]

/** A transaction at Paddle, or an invoice with its one payment at NOWPayments. */
const Payment = z.object({
  reference: z.string(),
  order_id: z.string(),
  kind: z.enum(KINDS),
  /** "renewal": charged by a mandate, without anybody at a page. */
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
  /** Of crypto: how much of what was asked for has come, in percent. */
  received_pct: z.number().int(),
  was_declined: z.boolean(),
  charged_back: z.boolean().default(false),
  /** Of the one line on it at Paddle; of the payment at NOWPayments. */
  part_id: z.string(),
  created_at: Time,
  updated_at: Time,
})
export type Payment = z.infer<typeof Payment>

const Mandate = z.object({
  id: z.string(),
  /** The order whose checkout set it up. */
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
  /** Before tax. */
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
  /** null: nothing more is sent by itself. */
  due_at: Time.nullable(),
  /** How many times it is still to arrive. */
  copies_left: z.number().int(),
  /** In a row; it is given up after some. */
  failures: z.number().int(),
  /** What the receiver answered, each time; null: nothing. */
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
  /** To be called after each change: a restart loses nothing. */
  save(): void
}

/** @param file null: kept in memory alone. Throws a sentence where the file can't be read. */
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
    throw new Error(`${file} can't be read. Remove it to begin anew; it holds only sandbox payments.`, {
      cause,
    })
  }
}

const LETTERS = 'abcdefghjkmnpqrstvwxyz0123456789'
const PADDLE_ID_CHARACTERS = 26

/** As Paddle's: a prefix and 26 small letters and digits. */
export function paddleId(prefix: string): string {
  const characters = Array.from({ length: PADDLE_ID_CHARACTERS }, () => LETTERS[randomInt(LETTERS.length)])
  return `${prefix}_${characters.join('')}`
}

/** As NOWPayments': ten digits. */
export function numberId(): string {
  return String(randomInt(4_000_000_000, 10_000_000_000))
}
