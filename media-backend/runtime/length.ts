import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { failWith, type JobFailure } from './failure.ts'

/** Length limit for the tier of a job. Contract: Limits, Input length ceiling. */
export type Ceiling = Pick<Dispatch, 'max_input_seconds' | 'tier'>

/**
 * Refuses an input that exceeds the length limit; inputs are never shortened. Contract: Limits, Input length
 * ceiling.
 * @throws JobFailure input_too_long, which names the length, the limit and the tier.
 */
export function checkLength(seconds: number, ceiling: Ceiling): void {
  const { max_input_seconds, tier } = ceiling
  if (seconds <= max_input_seconds) return
  throw failWith('input_too_long', {
    seconds: Math.ceil(seconds),
    limit_seconds: max_input_seconds,
    tier,
  })
}

/** Returns the error for an input that is longer than its header declares. */
export function longerThanDeclared({ max_input_seconds, tier }: Ceiling): JobFailure {
  return failWith('longer_than_declared', { limit_seconds: max_input_seconds, tier })
}
