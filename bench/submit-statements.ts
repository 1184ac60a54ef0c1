import type { InStatement } from '@libsql/client'
import { changeStatements, loadCredits } from '../edge/credits/queries.ts'
import { charge } from '../edge/credits/rules/ledger.ts'
import { insertJobsStatements, newJob } from '../edge/jobs/queries.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { effectStatements } from '../edge/platform/outbox/queries.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'

const BASE_CREDITS = 2

/** The statements that a submit commits, and the row and effect that they create. */
export interface SubmitStatements {
  job_id: string
  effect_id: string
  statements: InStatement[]
}

/** Loads the credits of an account and builds what the submit of an image job commits. */
export async function buildSubmit(db: Database, account_id: number): Promise<SubmitStatements> {
  const now = Date.now()
  const job_id = crypto.randomUUID()
  const { credits } = await loadCredits(db, account_id)
  const change = charge(credits, BASE_CREDITS, { cause: `job:${job_id}:base`, job_id })
  if (change === null) throw new Error('The benchmark account has no credits left')
  const params = { file_url: `bench/${account_id}`, width: 16 }
  const dispatch = {
    job_id,
    dispatch: 1,
    service_slug: 'image',
    operation_key: 'resize',
    params,
  } as Partial<Dispatch> as Dispatch
  const job = newJob({
    id: job_id,
    accountId: account_id,
    repeatOf: null,
    serviceSlug: 'image',
    operationKey: 'resize',
    params,
    dispatch,
    source: 'api',
    estimatedCost: BASE_CREDITS,
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
    createdAt: now,
  })
  const effect = { id: `dispatch:${job_id}:1`, kind: 'dispatch', payload: dispatch } as const
  const queries = [
    ...insertJobsStatements(db, [job]),
    ...effectStatements(db, [effect], now),
    ...changeStatements(db, account_id, change, now),
  ]
  const statements = queries.map((query): InStatement => {
    const { sql, params: values } = query.toSQL()
    return { sql, args: values as Extract<InStatement, { args?: unknown }>['args'] }
  })
  return { job_id, effect_id: effect.id, statements }
}
