import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { CancelRequest, DispatchBatch, FleetReadiness } from '../../shared/protocol/dispatch.ts'
import { sign } from '../../shared/protocol/signature.ts'
import type { Env } from '../env.ts'

const TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 3000

/** The fleet's job intake. Requests to it are signed. */
export interface Fleet {
  /** Sends dispatches. Throws unless the fleet accepts all of them; safe to repeat. */
  accept(jobs: Dispatch[]): Promise<void>
  cancel(jobId: string): Promise<void>
  /** Checks the fleet's Redis. Also returns "down" if the fleet does not respond. */
  askCache(): Promise<'ok' | 'down'>
}

export function openFleet(env: Pick<Env, 'FLEET_URL' | 'FLEET_KEYS'>): Fleet {
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<Response> {
    const signature = sign(env.FLEET_KEYS, crypto.randomUUID(), body, new Date())
    const answer = await fetch(`${env.FLEET_URL}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...signature },
      ...(method === 'POST' ? { body } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok) throw new Error(`the fleet returned ${answer.status} for ${method} ${path}`)
    return answer
  }
  return {
    async accept(jobs) {
      const answer = await call('POST', '/jobs', JSON.stringify(DispatchBatch.parse({ jobs })), TIMEOUT_MS)
      await answer.body?.cancel()
    },
    async cancel(job_id) {
      const answer = await call(
        'POST',
        '/cancel',
        JSON.stringify(CancelRequest.parse({ job_id })),
        TIMEOUT_MS,
      )
      await answer.body?.cancel()
    },
    async askCache() {
      try {
        const answer = await call('GET', '/ready', '', READY_TIMEOUT_MS)
        return FleetReadiness.parse(await answer.json()).cache
      } catch {
        return 'down'
      }
    },
  }
}
