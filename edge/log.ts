import { DrizzleQueryError } from 'drizzle-orm'
import { ZodError } from 'zod'
import { keepEnglish } from '../shared/text/texts.ts'

/** The origin of an error: a request, with the id that its caller received, or a background task. */
type Origin = { request_id: string } | { task: string }

/** Logs an unexpected error. The Worker uses the console only in this file. */
export function reportUnforeseen(error: unknown, origin: Origin): void {
  console.error(JSON.stringify({ level: 'error', ...origin, error: describe(error) }))
}

const reported = new WeakSet<Error>()

/** Logs once per isolate which settings are wrong, because every request meets the same error. */
export function reportInvalidSettings(error: Error): void {
  if (reported.has(error)) return
  reported.add(error)
  console.error(JSON.stringify({ level: 'error', task: 'read settings', error: error.message }))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = describeOne(error)
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`
}

/** Omits query values, which are personal data such as addresses, hashes, and codes. */
function describeOne(error: Error): string {
  const text = error.stack ?? error.message
  if (error instanceof ZodError) return keepEnglish(text)
  return error instanceof DrizzleQueryError
    ? text.replace(error.message, () => `Failed query: ${error.query}`)
    : text
}
