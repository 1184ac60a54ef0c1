import { z } from 'zod'
import { toWebEvents, WebRecord } from '../analytics/collect.ts'
import { insertWebEventsStatement } from '../analytics/queries.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { RequestRecord } from './record-request.ts'
import {
  deleteRequestLogsStatement,
  insertRequestLogsStatement,
  listDeletedAccounts,
} from './request-log-queries.ts'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('requests'), requests: z.array(RequestRecord) }),
  WebRecord.extend({ kind: z.literal('web') }),
])

/** Well below the limit for one statement. */
const ROWS_MAX = 500

/**
 * Consumes the queue. Writes many records in one commit; a repeated message changes nothing. Throws if the commit
 * fails. Invalid messages are only logged.
 */
export async function handleRecords(deps: Deps, bodies: readonly unknown[]): Promise<void> {
  const { db, logs: logsDb } = deps
  const parsed = bodies.map((body) => Message.safeParse(body))
  const messages = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const requests = messages.flatMap((message) => (message.kind === 'requests' ? message.requests : []))
  const accountIds = [...new Set(requests.flatMap(({ account_id }) => account_id ?? []))]
  const events = messages.flatMap((message) => (message.kind === 'web' ? toWebEvents(message) : []))
  await commit(logsDb, inParts(requests, insertRequestLogsStatement))
  // Records may arrive after the account's logs were erased. An account that is deleted later erases them itself.
  const deleted = (await readEverywhere(deps, (each) => listDeletedAccounts(each, accountIds))).flat()
  if (deleted.length > 0) await commit(logsDb, [deleteRequestLogsStatement(logsDb, deleted)])
  await commit(
    db,
    inParts(events, (part) => insertWebEventsStatement(db, part)),
  )
  const fault = parsed.find(({ error }) => error !== undefined)?.error
  if (fault !== undefined) reportUnforeseen(fault, { task: 'records that cannot be read' })
}

function inParts<Row>(rows: readonly Row[], insert: (part: Row[]) => Statement): Statement[] {
  const count = Math.ceil(rows.length / ROWS_MAX)
  return Array.from({ length: count }, (_, part) =>
    insert(rows.slice(part * ROWS_MAX, (part + 1) * ROWS_MAX)),
  )
}
