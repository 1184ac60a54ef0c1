import { wholeNumberOr } from './whole-number.ts'

const OFFSET_MAX = 1_000_000_000

/** Number of rows to skip. */
export const offset = wholeNumberOr(0, { min: 0, max: OFFSET_MAX })

/** Error for job lists: the jobs' parameters and results can exceed the size limit of one response. */
export const TOO_LONG = { 400: 'The jobs are too large for one response. Request fewer with `limit`' }
