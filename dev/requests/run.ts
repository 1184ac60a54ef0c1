import type { Client } from '../client.ts'
import { type PlannedRequest, planRequest } from './build.ts'
import { type Answer, Checker } from './check.ts'
import { fetchOperations } from './document.ts'
import { prepareSystem } from './prepare.ts'
import type { Target } from './target.ts'

export interface RunOptions {
  seed: number
  /** Number of the first request. */
  from: number
  count: number
  /** Ends the run early, as does `signal`. */
  seconds_max?: number
  signal?: AbortSignal
  onProgress?(tally: Tally): void
  onFault?(fault: Fault): void
}

export interface Tally {
  sent: number
  seconds: number
  /** Number of responses per status. */
  statuses: Map<number, number>
  /** Number of successful responses per endpoint. */
  successes: Map<string, number>
  faults: Fault[]
  /** How often a request was retried because the development server lost its connection to the Worker. */
  lost: number
}

export interface Fault {
  request: PlannedRequest
  answer: Answer | null
  messages: string[]
}

const IN_FLIGHT = 16
const ANSWER_MS_MAX = 60_000
const PROGRESS_EVERY = 10_000

/** Sends a seed's requests to a running system and validates each response against the document. */
export async function runRequests(target: Target, options: RunOptions): Promise<Tally> {
  const { seed, from, count, seconds_max = Number.POSITIVE_INFINITY, signal, onProgress, onFault } = options
  const operations = await fetchOperations(target.api_url)
  const prepared = await prepareSystem(target)
  const checker = new Checker()
  const tally: Tally = { sent: 0, seconds: 0, statuses: new Map(), successes: new Map(), faults: [], lost: 0 }
  for (const { name } of operations) tally.successes.set(name, 0)
  const started = performance.now()
  let next = from
  const work = async () => {
    while (next < from + count && tally.seconds < seconds_max && !signal?.aborted) {
      const request = planRequest(operations, prepared, seed, next++)
      const answer = await sendWithRetry(target.api_url, request, tally).catch((error: unknown) =>
        String(error),
      )
      const fault = recordResponse(tally, request, answer, checker)
      if (fault !== null) onFault?.(fault)
      tally.seconds = (performance.now() - started) / 1000
      if (tally.sent % PROGRESS_EVERY === 0) onProgress?.(tally)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  for (const client of prepared.clients) await requireConsistentLedger(client)
  return tally
}

function recordResponse(
  tally: Tally,
  request: PlannedRequest,
  answer: Answer | string,
  checker: Checker,
): Fault | null {
  tally.sent++
  const messages = typeof answer === 'string' ? [answer] : checkResponse(tally, request, answer, checker)
  if (messages.length === 0) return null
  const fault = { request, answer: typeof answer === 'string' ? null : answer, messages }
  tally.faults.push(fault)
  return fault
}

function checkResponse(tally: Tally, request: PlannedRequest, answer: Answer, checker: Checker): string[] {
  const { status } = answer
  const { name } = request.operation
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status < 300) tally.successes.set(name, (tally.successes.get(name) ?? 0) + 1)
  return checker.findFaults(request, answer)
}

/** The development server's error message when it cannot reach the Worker. It is not a response from the edge. */
const LOST = 'Error: Network connection lost.'
const ATTEMPTS_MAX = 3

async function sendWithRetry(api_url: string, request: PlannedRequest, tally: Tally): Promise<Answer> {
  for (let count = 1; ; count++) {
    const answer = await send(api_url, request)
    const was_lost = !answer.headers.has('x-request-id') && answer.text?.startsWith(LOST) === true
    if (!was_lost || count === ATTEMPTS_MAX) return answer
    tally.lost++
  }
}

async function send(api_url: string, { operation, path, headers, body }: PlannedRequest): Promise<Answer> {
  const response = await fetch(`${api_url}${path}`, {
    method: operation.method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    ...(body === null ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })
  const { status } = response
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status, headers: response.headers, text: null }
  }
  return { status, headers: response.headers, text: await response.text() }
}

async function requireConsistentLedger(client: Client): Promise<void> {
  const { ok } = await client.verifyLedger()
  if (!ok) throw new Error('A ledger is inconsistent.')
}
