import { isOpenOrder, type OrderState } from './states.ts'

const MINUTE_MS = 60 * 1000
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS

/** Unpaid orders expire after this time. Money that arrives later still counts. */
export const ORDER_LIVES_MS = 7 * 24 * 60 * MINUTE_MS
/** An order without a checkout by this time never gets one, so nobody can pay it. */
export const OPENING_MS_MAX = 10 * MINUTE_MS

/** Returns the pause before the next poll. It starts at one minute and doubles each time, up to six hours. */
export function pollPauseMs(polls: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(polls, 16))
}

interface PolledOrder {
  status: OrderState
  provider_reference: string | null
  created_at: number
}

/**
 * Decides what to do with an order that is due. `ask` polls the provider, `expire` expires the order without
 * polling, `stop` ends polling because there is nothing left to learn, and `wait` leaves the order as it is.
 */
export function judgePoll(order: PolledOrder, now: number): 'ask' | 'expire' | 'stop' | 'wait' {
  if (order.provider_reference !== null) return 'ask'
  if (!isOpenOrder(order.status)) return 'stop'
  return now - order.created_at >= OPENING_MS_MAX ? 'expire' : 'wait'
}

/**
 * Decides what happens to an order after a poll: it expires when it is too old.
 * @param isComing whether the provider reports a payment in progress.
 */
export function judgeSilence(
  { status, created_at }: PolledOrder,
  isComing: boolean,
  now: number,
): 'expire' | 'stop' | 'wait' {
  const isSettled = !isOpenOrder(status) && !(isComing && status !== 'paid')
  if (now - created_at < ORDER_LIVES_MS) return isSettled ? 'stop' : 'wait'
  return status === 'waiting' || status === 'confirming' ? 'expire' : 'stop'
}
