import { MediaError } from '../../client/src/index.ts'

interface Fault {
  loc?: (string | number)[]
  msg?: string
}

/**
 * Returns the sentences of an error by the field of the request that each is about, such as `email`. Empty if the error
 * is about no field. Contract: Errors.
 */
export function faultsByField(error: unknown): Record<string, string> {
  if (!(error instanceof MediaError)) return {}
  if (Array.isArray(error.detail)) {
    const faults = (error.detail as Fault[]).map(({ loc = [], msg = '' }) => [String(loc[1] ?? ''), msg])
    // The first fault of a field is the one to mend first.
    return Object.fromEntries(faults.reverse())
  }
  return error.param === undefined ? {} : { [error.param]: error.message }
}
