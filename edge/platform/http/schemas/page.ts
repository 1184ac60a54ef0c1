import { wholeNumberOr } from './whole-number.ts'

const OFFSET_MAX = 1_000_000_000

/** How many of a list's rows to leave out. */
export const offset = wholeNumberOr(0, { min: 0, max: OFFSET_MAX })

/** Of a list of jobs, whose parameters and results may be long. */
export const TOO_LONG = { 400: 'These jobs are too long to be listed at once: ask for fewer by limit' }
