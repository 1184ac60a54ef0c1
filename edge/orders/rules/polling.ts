import { isOpenOrder, type OrderState } from './states.ts'

const MINUTE_MS = 60 * 1000
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS

/** An order that nobody paid in this time is given up. Money that comes later still counts. */
export const ORDER_LIVES_MS = 7 * 24 * 60 * MINUTE_MS
/** Without an answer by then its checkout was never opened, and nobody can pay it. */
export const OPENING_MS_MAX = 10 * MINUTE_MS

/** The pause before the provider is asked again: a minute at first, doubled each time, at most six hours. */
export function pollPauseMs(polls: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(polls, 16))
}

interface PolledOrder {
  status: OrderState
  provider_reference: string | null
  created_at: number
}

/** `ask`: its provider; `expire`: it is given up without a word from there; `stop`: there is nothing to learn. */
export function judgePoll(order: PolledOrder, now: number): 'ask' | 'expire' | 'stop' | 'wait' {
  if (order.provider_reference !== null) return 'ask'
  if (!isOpenOrder(order.status)) return 'stop'
  return now - order.created_at >= OPENING_MS_MAX ? 'expire' : 'wait'
}

/**
 * What becomes of an order once its provider was asked: given up when it is too old.
 * @param isComing money is on its way, by the provider's word.
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
