import { sql } from 'drizzle-orm'
import { jobs } from '../tables.ts'

/** Removes names, parameters and addresses from a stored dispatch. */
const ERASED_DISPATCH = sql`json_set(${jobs.dispatch}, '$.filename', '', '$.params', json('{}'), '$.pipeline',
  json('[]'), '$.assets', json('{}'), '$.source', json('{"kind": "object", "key": ""}'))`

/** What remains in place of the content that a person gave a job. What accounting needs stays as it is. */
export const ERASED_CONTENT = {
  params: {},
  dispatch: ERASED_DISPATCH,
  error: null,
  failure: null,
  webhookUrl: null,
  output: null,
  tag: null,
  metadata: {},
  template: null,
}
