import type { Quote } from '../../../client/src/index.ts'

/** Further quotes would exceed the limit of requests: then one of the mean length stands for all. */
const QUOTED_LENGTHS_MAX = 5

/** A length to quote, and how many inputs it stands for. */
export interface QuotedLength {
  seconds: number | null
  count: number
}

/** Returns the few lengths whose quotes, taken together, are the quote of all inputs. */
export function lengthsToQuote(durations: readonly (number | null)[]): QuotedLength[] {
  const counts = new Map<number | null, number>()
  for (const duration of durations) {
    const seconds = duration === null ? null : Math.max(1, Math.round(duration))
    counts.set(seconds, (counts.get(seconds) ?? 0) + 1)
  }
  const lengths = [...counts].map(([seconds, count]) => ({ seconds, count }))
  if (lengths.length <= QUOTED_LENGTHS_MAX) return lengths
  const known = durations.filter((duration) => duration !== null)
  const mean = known.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, known.length)
  return [{ seconds: Math.max(1, Math.round(mean)), count: durations.length }]
}

/** What running an operation on all inputs costs. */
export interface Total {
  estimated_credits: number
  max_credits: number
  balance: number
  /** Credits that are missing to start; 0 if there are enough. */
  missing_credits: number
  /** Inputs that are longer than the account may process. */
  too_long: number
  max_duration_seconds: number | null
}

type Quoted = Pick<
  Quote,
  'base_credits' | 'estimated_credits' | 'max_credits' | 'balance' | 'max_duration_seconds'
>

/** Adds the quotes of all inputs. `durations` are those of all inputs. */
export function sumQuotes(
  quotes: readonly { count: number; quote: Quoted }[],
  durations: readonly (number | null)[],
): Total {
  const sum = (of: (quote: Quoted) => number) =>
    quotes.reduce((total, { count, quote }) => total + count * of(quote), 0)
  const balance = quotes[0]?.quote.balance ?? 0
  const max_duration_seconds = quotes[0]?.quote.max_duration_seconds ?? null
  const limit = max_duration_seconds ?? Number.POSITIVE_INFINITY
  return {
    estimated_credits: sum(({ estimated_credits }) => estimated_credits),
    max_credits: sum(({ max_credits }) => max_credits),
    balance,
    missing_credits: Math.max(0, sum(({ base_credits }) => base_credits) - balance),
    too_long: durations.filter((seconds) => (seconds ?? 0) > limit).length,
    max_duration_seconds,
  }
}
