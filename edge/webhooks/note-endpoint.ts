import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { endpointDisabledEffects } from './emails.ts'
import {
  attemptedEndpointGuard,
  disableEndpointStatement,
  type Endpoint,
  recordFailureStatement,
  recordSuccessStatement,
} from './endpoint-queries.ts'
import { type AttemptOutcome, judgeEndpoint } from './rules/endpoint-health.ts'
import type { EventType } from './rules/events.ts'

export interface Note {
  statements: Statement[]
  effects: Effect[]
}

export const NOTHING: Note = { statements: [], effects: [] }

/**
 * Returns the changes of an attempt to its endpoint, and the email if the endpoint is disabled because it keeps
 * failing.
 */
export async function noteEndpoint(
  deps: Pick<Deps, 'db' | 'mailer'>,
  endpoint: Endpoint | null,
  type: EventType,
  outcome: AttemptOutcome,
  now: number,
): Promise<Note> {
  if (endpoint === null) return NOTHING
  const { db } = deps
  switch (judgeEndpoint({ type, failing_since: endpoint.failingSince }, outcome, now)) {
    case 'ignore':
      return NOTHING
    case 'healthy':
      return { ...NOTHING, statements: [recordSuccessStatement(db, endpoint.id)] }
    case 'failing':
      return { ...NOTHING, statements: [recordFailureStatement(db, endpoint, now)] }
    case 'disable_gone':
      return { ...NOTHING, statements: [disableEndpointStatement(db, endpoint, 'gone', now)] }
    case 'disable_failing':
      return {
        statements: [
          attemptedEndpointGuard(db, endpoint),
          disableEndpointStatement(db, endpoint, 'failing', now),
        ],
        effects: await endpointDisabledEffects(deps, endpoint, now),
      }
  }
}
