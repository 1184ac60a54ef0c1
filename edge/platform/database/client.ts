import { type Client, createClient, LibsqlError } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'

export type Database = LibSQLDatabase & {
  $client: Client
  /** Position among the databases of the deployment; 0 is the home. */
  $number: number
}

/** One statement of a batch, as built by Drizzle. */
export interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

export interface DatabaseOptions {
  number?: number
  answer_ms_max?: number
  /** Called after each request to the database with the time that it took. */
  onTrip?(duration_ms: number): void
}

export function openDatabase(
  url: string,
  authToken: string | undefined,
  { number = 0, answer_ms_max = ANSWER_MS_MAX, onTrip = () => undefined }: DatabaseOptions = {},
): Database {
  // Disables the client's queue: the runtime treats a request that waits for another request's work as hung and
  // cancels it. The database queues the statements.
  const concurrency = Number.MAX_SAFE_INTEGER
  const client = createClient({
    url,
    authToken,
    concurrency,
    fetch: async (request: Request) => {
      const started_at = Date.now()
      try {
        return await fetchPatiently(request, answer_ms_max)
      } finally {
        onTrip(Date.now() - started_at)
      }
    },
  })
  return Object.assign(drizzle(waitForLocks(client)), { $number: number })
}

const ATTEMPTS_MAX = 40
const PAUSE_MS_MAX = 100
/** Far longer than a batch takes; an error is better than a longer wait. */
const ANSWER_MS_MAX = 10_000

/**
 * Thrown in two cases: the database timed out or disconnected, so the statements may or may not have run; or it
 * stayed locked, so none of them ran.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseUnavailable) return true
  }
  return false
}

async function fetchInTime(request: Request, answer_ms_max: number): Promise<Response> {
  const limit = AbortSignal.timeout(answer_ms_max)
  try {
    const response = await fetch(request, { signal: limit })
    // Reads the whole response here so that the timeout also covers the body.
    return new Response(await response.arrayBuffer(), response)
  } catch (error) {
    throw new DatabaseUnavailable(limit.aborted ? `no response within ${answer_ms_max} ms` : 'no response', {
      cause: error,
    })
  }
}

/** Retries a request after a short pause while the database is overloaded. A 429 means that nothing ran. */
async function fetchPatiently(request: Request, answer_ms_max: number): Promise<Response> {
  for (let count = 1; ; count++) {
    const response = await fetchInTime(request.clone(), answer_ms_max)
    if (response.status !== 429 || count >= ATTEMPTS_MAX) return response
    await pause(Math.min(PAUSE_MS_MAX, 5 * count))
  }
}

/** Does not use the Worker scheduler, because scripts and tests call this in Node. */
function pause(ms_max: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ms_max))
}

/** Retries writes that are refused while the server checkpoints its log; none of their statements ran. */
function waitForLocks(client: Client): Client {
  const { execute, batch } = client
  const wait =
    <Args extends unknown[], Answer>(send: (...args: Args) => Promise<Answer>) =>
    (...args: Args) =>
      askUntilUnlocked(() => send.apply(client, args))
  return Object.assign(client, { execute: wait(execute), batch: wait(batch) })
}

const LOCKED_MS_MAX = 5000
/** Allows about 34 attempts per request if each response is immediate. */
const LOCKED_PAUSE_MS_MAX = 500

async function askUntilUnlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + LOCKED_MS_MAX
  for (let count = 1; ; count++) {
    try {
      return await ask()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (Date.now() >= until) throw new DatabaseUnavailable('it was locked', { cause: error })
      await pause(Math.min(LOCKED_PAUSE_MS_MAX, 20 * count))
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof LibsqlError && error.code.startsWith('SQLITE_BUSY')
}
