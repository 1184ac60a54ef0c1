import { type Client, createClient, LibsqlError } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'

export type Database = LibSQLDatabase & { $client: Client }

/** One statement of a batch, as drizzle builds it. */
export interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

export function openDatabase(
  url: string,
  authToken: string | undefined,
  answer_ms_max = ANSWER_MS_MAX,
): Database {
  // The client's own queue would let one request wait for another's work alone, which the runtime takes
  // for a hang and ends. Each request sends its statements at once; the database does the queueing.
  const concurrency = Number.MAX_SAFE_INTEGER
  const client = createClient({
    url,
    authToken,
    concurrency,
    fetch: (request: Request) => fetchPatiently(request, answer_ms_max),
  })
  return drizzle(waitForLocks(client))
}

const ATTEMPTS_MAX = 40
const PAUSE_MS_MAX = 100
/** Far more than a batch takes; who waits longer is better told than kept. */
const ANSWER_MS_MAX = 10_000

/**
 * The database took too long to answer, or broke off: whether it carried out what it was asked is not known.
 * Or it was locked for too long: then it did nothing.
 */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent'
}

export function isDatabaseSilent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseSilent) return true
  }
  return false
}

async function fetchInTime(request: Request, answer_ms_max: number): Promise<Response> {
  const limit = AbortSignal.timeout(answer_ms_max)
  try {
    const response = await fetch(request, { signal: limit })
    // All of it: the time may also run out while the answer comes in.
    return new Response(await response.arrayBuffer(), response)
  } catch (error) {
    throw new DatabaseSilent(limit.aborted ? `no answer within ${answer_ms_max} ms` : 'no answer', {
      cause: error,
    })
  }
}

/** A database that has its hands full answers 429 before it does anything: it is asked again, a little later. */
async function fetchPatiently(request: Request, answer_ms_max: number): Promise<Response> {
  for (let count = 1; ; count++) {
    const response = await fetchInTime(request.clone(), answer_ms_max)
    if (response.status !== 429 || count >= ATTEMPTS_MAX) return response
    await pause(Math.min(PAUSE_MS_MAX, 5 * count))
  }
}

/** Not by the Worker's scheduler: scripts and tests come here from Node as well. */
function pause(ms_max: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ms_max))
}

/** While the server moves its log into the file, writers are sent away; nothing of what they sent was done. */
function waitForLocks(client: Client): Client {
  const { execute, batch } = client
  const wait =
    <Args extends unknown[], Answer>(send: (...args: Args) => Promise<Answer>) =>
    (...args: Args) =>
      askUntilUnlocked(() => send.apply(client, args))
  return Object.assign(client, { execute: wait(execute), batch: wait(batch) })
}

const LOCKED_MS_MAX = 5000
/** So long that a request asks some 34 times, where each answer comes at once; fewer where they take their time. */
const LOCKED_PAUSE_MS_MAX = 500

async function askUntilUnlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + LOCKED_MS_MAX
  for (let count = 1; ; count++) {
    try {
      return await ask()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (Date.now() >= until) throw new DatabaseSilent('it was locked', { cause: error })
      await pause(Math.min(LOCKED_PAUSE_MS_MAX, 20 * count))
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof LibsqlError && error.code.startsWith('SQLITE_BUSY')
}
