import { DAY_MS } from '../../platform/rules/days.ts'

/**
 * There are a million possible codes. Allowing only five codes a day with five guesses each limits brute-force
 * attacks.
 */
export const CODE_DIGITS = 6
export const CODE_LIVES_MS = 15 * 60 * 1000
export const GUESSES_MAX = 5
const SENDS_A_DAY_MAX = 5
const SEND_GAP_MS = 60 * 1000

export interface SentCode {
  number: number
  sent_at: number
  expires_at: number
  used_at: number | null
  guesses: number
}

/**
 * Returns the earliest time at which the next code may be sent: one minute after the last one, and no more than
 * five codes in 24 hours.
 */
export function nextSendAt(codes: readonly Pick<SentCode, 'sent_at'>[]): number {
  const times = codes.map(({ sent_at }) => sent_at).sort((a, b) => b - a)
  const [last] = times
  const fifth = times[SENDS_A_DAY_MAX - 1]
  return Math.max(last === undefined ? 0 : last + SEND_GAP_MS, fifth === undefined ? 0 : fifth + DAY_MS)
}

/** Returns the number of whole seconds until a code may be sent; 0 if it may be sent now. */
export function secondsToSend(codes: readonly Pick<SentCode, 'sent_at'>[], now: number): number {
  return Math.max(0, Math.ceil((nextSendAt(codes) - now) / 1000))
}

/** Checks whether a code can still be entered. */
export function isPending(code: Omit<SentCode, 'number' | 'sent_at'> | undefined, now: number): boolean {
  return code !== undefined && code.used_at === null && code.expires_at > now && code.guesses < GUESSES_MAX
}

/** Returns the time before which codes no longer count toward the limits. */
export function forgottenBefore(now: number): number {
  return now - DAY_MS
}

const CODES = 10 ** CODE_DIGITS
const WORDS = 2 ** 32

/**
 * Generates six digits, uniformly distributed.
 * @param draw returns a random integer below 2^32
 */
export function makeCode(draw: () => number): string {
  // Rejects the last, incomplete range, which would favor smaller codes.
  for (;;) {
    const word = draw()
    if (word < WORDS - (WORDS % CODES)) return String(word % CODES).padStart(CODE_DIGITS, '0')
  }
}
