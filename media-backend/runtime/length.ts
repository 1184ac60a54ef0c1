import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { lengthText } from '../../shared/text/words.ts'
import { JobFailure } from './failure.ts'

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
  const [length, limit] = [lengthText('en', Math.ceil(seconds)), lengthText('en', max_input_seconds)]
  throw new JobFailure(
    'input_too_long',
    `The video is ${length} long; the ${tier} tier allows up to ${limit}. Use a shorter video.`,
  )
}

/** Returns the error for an input that is longer than its header declares. */
export function longerThanDeclared({ max_input_seconds, tier }: Ceiling): JobFailure {
  return new JobFailure(
    'input_too_long',
    `The video is longer than its header declares; the ${tier} tier allows up to ${lengthText('en', max_input_seconds)}. Use a shorter video.`,
  )
}
