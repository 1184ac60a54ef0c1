import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { JobFailure } from '../failure.ts'

const TIERS = { anonymous: 'anonymous tier', free: 'free tier', paid: 'paid tier' } as const

/** Specification, Input length ceiling, of a job's tier. */
export type Ceiling = Pick<Dispatch, 'max_input_seconds' | 'tier'>

/**
 * Specification, Input length ceiling: refused, not truncated; the sentence names length, limit and tier.
 * @throws JobFailure input_too_long
 */
export function checkLength(seconds: number, order: Ceiling): void {
  const { max_input_seconds, tier } = order
  if (seconds <= max_input_seconds) return
  const [length, limit] = [lengthText(Math.ceil(seconds)), lengthText(max_input_seconds)]
  throw new JobFailure(
    'input_too_long',
    `The video is ${length} long; the ${TIERS[tier]} takes up to ${limit}.`,
  )
}

/** The same for an input that goes on beyond the length that its header claims. */
export function longerThanClaimed({ max_input_seconds, tier }: Ceiling): JobFailure {
  return new JobFailure(
    'input_too_long',
    `The video is longer than it claims to be; the ${TIERS[tier]} takes up to ${lengthText(max_input_seconds)}.`,
  )
}

/** 2530 → "42 min 10 s", 7200 → "2 h" */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds)
  const amounts = { h: Math.floor(whole / 3600), min: Math.floor(whole / 60) % 60, s: whole % 60 }
  const told = Object.entries(amounts).filter(([, amount]) => amount > 0)
  return told.length === 0 ? '0 s' : told.map(([unit, amount]) => `${amount} ${unit}`).join(' ')
}
