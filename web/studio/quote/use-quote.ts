import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { QuoteRequest } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { isSignedIn } from '../../api/session.ts'
import type { Operation, WorkItem } from '../workspace/items.ts'
import { findRepetition } from '../workspace/schedule.ts'
import { readDuration } from './read-duration.ts'
import { lengthsToQuote, sumQuotes, type Total } from './sum-quotes.ts'

/** A quote is requested once the settings have not changed for this time. */
const SETTLE_MS = 400
const STALE_MS = 60_000

/**
 * Quotes an operation on all inputs (Contract: Jobs, Quote). Pass null while the settings are not valid.
 * @returns the total, and the error of the service, which names a parameter that it refuses
 */
export function useQuote(targets: readonly WorkItem[], operation: Operation | null) {
  const settled = useSettled(JSON.stringify(operation))
  const charged = operation === null ? targets : chargedItems(targets, operation)
  const files = charged.map(({ id }) => id)
  const { data, error, isFetching } = useQuery<Total>({
    queryKey: ['quote', settled, files],
    queryFn: () => quoteAll(charged, JSON.parse(settled) as Operation),
    enabled: isSignedIn.value && settled !== 'null' && targets.length > 0,
    placeholderData: keepPreviousData,
    // Bonuses may be bought in another tab, so a balance that is too low is read again on return.
    staleTime: ({ state }) => (state.data?.missing_credits ? 0 : STALE_MS),
  })
  return { total: data ?? null, error: settled === 'null' ? null : error, isFetching }
}

/** Returns the items that a start is charged for: what is done is skipped, unless nothing else is left. */
function chargedItems(targets: readonly WorkItem[], operation: Operation): readonly WorkItem[] {
  const now_ms = Date.now()
  const rest = targets.filter(({ runs }) => findRepetition(runs.peek(), operation, now_ms) !== 'done')
  return rest.length === 0 ? targets : rest
}

async function quoteAll(targets: readonly WorkItem[], operation: Operation): Promise<Total> {
  const durations = await Promise.all(targets.map(readDuration))
  const quotes = lengthsToQuote(durations).map(async ({ seconds, count }) => {
    const length = seconds === null ? {} : { duration_seconds: seconds }
    const request = { ...operation, ...length } as QuoteRequest
    return { count, quote: await media.value.jobs.quote(request) }
  })
  return sumQuotes(await Promise.all(quotes), durations)
}

/** Returns a value once it has not changed for a while. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
