import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { endpointDisabledEffects } from './emails.ts'
import {
  disableEndpointStatement,
  type Endpoint,
  recordFailureStatement,
  recordSuccessStatement,
} from './endpoint-queries.ts'
import type { EndpointVerdict } from './rules/endpoint-health.ts'

interface Note {
  statement: Statement | null
  effects: Effect[]
}

/** Returns what an attempt changes in its endpoint, and the email if it is disabled because it keeps failing. */
export async function noteEndpoint(
  deps: Pick<Deps, 'db' | 'mailer'>,
  endpoint: Endpoint,
  verdict: EndpointVerdict,
  now: number,
): Promise<Note> {
  const { db } = deps
  switch (verdict) {
    case 'ignore':
      return { statement: null, effects: [] }
    case 'healthy':
      return { statement: recordSuccessStatement(db, endpoint.id), effects: [] }
    case 'failing':
      return { statement: recordFailureStatement(db, endpoint, now), effects: [] }
    case 'disable_gone':
      return { statement: disableEndpointStatement(db, endpoint, 'gone', now), effects: [] }
    case 'disable_failing':
      return {
        statement: disableEndpointStatement(db, endpoint, 'failing', now),
        effects: await endpointDisabledEffects(deps, endpoint, now),
      }
  }
}
