import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import {
  CancelRequest,
  DispatchBatch,
  FleetReadiness,
  PartialRefusal,
} from '../../shared/protocol/dispatch.ts'
import { signRequest } from '../../shared/protocol/signature.ts'
import type { Env } from '../env.ts'

const TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 3000

/** The fleet's job intake. Requests to it are signed. */
export interface Fleet {
  /**
   * Sends dispatches; safe to repeat.
   * @returns the positions of dispatches that the fleet cannot read. It has accepted all others.
   */
  accept(jobs: readonly Dispatch[]): Promise<number[]>
  cancel(jobId: string): Promise<void>
  /** Checks the fleet's Redis. Also returns "down" if the fleet does not respond. */
  askReadiness(): Promise<FleetReadiness>
}

export function openFleet(env: Pick<Env, 'FLEET_URL' | 'FLEET_KEYS'>): Fleet {
  async function send(
    method: 'GET' | 'POST',
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<Response> {
    const id = crypto.randomUUID()
    const signature = signRequest(env.FLEET_KEYS, { to: 'fleet', method, path }, { id, body })
    return fetch(`${env.FLEET_URL}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...signature },
      ...(method === 'POST' ? { body } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
  async function call(...request: Parameters<typeof send>): Promise<Response> {
    const answer = await send(...request)
    if (answer.ok) return answer
    const [method, path] = request
    await answer.body?.cancel()
    throw new Error(`the fleet returned ${answer.status} for ${method} ${path}`)
  }
  async function accept(jobs: readonly Dispatch[]): Promise<number[]> {
    const body = JSON.stringify(DispatchBatch.parse({ jobs }))
    const answer = await send('POST', '/jobs', body, TIMEOUT_MS)
    if (answer.status === 422) {
      const refusal = PartialRefusal.safeParse(await answer.json().catch(() => null))
      return refusal.data?.refused ?? acceptHalves(jobs)
    }
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the fleet returned ${answer.status} for POST /jobs`)
    return []
  }
  /** Isolates the unreadable dispatches of a batch that an older fleet refused as a whole. */
  async function acceptHalves(jobs: readonly Dispatch[]): Promise<number[]> {
    if (jobs.length === 1) return [0]
    const middle = Math.ceil(jobs.length / 2)
    const first = await accept(jobs.slice(0, middle))
    const second = await accept(jobs.slice(middle))
    return [...first, ...second.map((position) => middle + position)]
  }
  return {
    accept,
    async cancel(job_id) {
      const answer = await call(
        'POST',
        '/cancel',
        JSON.stringify(CancelRequest.parse({ job_id })),
        TIMEOUT_MS,
      )
      await answer.body?.cancel()
    },
    async askReadiness() {
      try {
        const answer = await call('GET', '/ready', '', READY_TIMEOUT_MS)
        return FleetReadiness.parse(await answer.json())
      } catch {
        return { cache: 'down' }
      }
    },
  }
}
