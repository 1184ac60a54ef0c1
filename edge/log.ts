import { DrizzleQueryError } from 'drizzle-orm'

/** What was under way: a request, whose id its caller was told, or a task of our own. */
type Origin = { request_id: string } | { task: string }

/** For the operator's logs; the one use of the console in the Worker. */
export function reportUnforeseen(error: unknown, origin: Origin): void {
  console.error(JSON.stringify({ level: 'error', ...origin, error: describe(error) }))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = describeOne(error)
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`
}

/** A query's values are people's: addresses, hashes, codes. They stay out of the log. */
function describeOne(error: Error): string {
  const text = error.stack ?? error.message
  return error instanceof DrizzleQueryError
    ? text.replace(error.message, () => `Failed query: ${error.query}`)
    : text
}
