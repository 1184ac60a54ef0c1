import { wholeNumberOr } from './whole-number.ts'

const OFFSET_MAX = 1_000_000_000

/** Number of rows to skip. */
export const offset = wholeNumberOr(0, { min: 0, max: OFFSET_MAX })

/** Error of job lists: parameters and results can exceed the size of one response. */
export const TOO_LONG = { 400: 'The jobs are too large for one response. Request fewer with `limit`' }
