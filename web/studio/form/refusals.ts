import { MediaError } from '../../../client/src/index.ts'

/**
 * Returns the sentences of the service by the parameter that each names (Contract: Errors). Errors that name none, or
 * something else than a parameter, are not among them.
 */
export function refusalsOf(errors: readonly unknown[]): Readonly<Record<string, string>> {
  const named = errors.flatMap((error) => {
    const key = error instanceof MediaError ? /^params\.(\w+)/.exec(error.param ?? '')?.[1] : undefined
    return key === undefined ? [] : [[key, (error as MediaError).message] as const]
  })
  return Object.fromEntries(named)
}
