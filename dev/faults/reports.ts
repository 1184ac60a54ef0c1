import { parseKeys, signRequest } from '../../shared/protocol/signature.ts'
import { randomOf } from '../requests/random.ts'
import type { FaultContext } from './context.ts'
import { applyDelivery, type Delivery, makeDeliveries, NEW_JOB } from './deliveries.ts'

/** The endpoint of the edge that receives reports. */
export const REPORTS = { to: 'edge', method: 'POST', path: '/internal/callbacks' } as const

export interface ReportsTally {
  sent: number
  violations: string[]
}

/** Delivers repeated and reordered reports of jobs that no fleet runs, and compares every answer with the model. */
export async function deliverReports(
  context: FaultContext,
  seed: number,
  count: number,
): Promise<ReportsTally> {
  const tally: ReportsTally = { sent: 0, violations: [] }
  await context.system.parts.fleet.stop()
  try {
    for (let number = 0; tally.sent < count; number++) await checkJobReports(context, seed, number, tally)
  } finally {
    await context.system.parts.fleet.start()
  }
  if (!(await context.client.verifyLedger()).ok) tally.violations.push('the ledger is inconsistent')
  return tally
}

async function checkJobReports(
  { client, submissions, system, account_id }: FaultContext,
  seed: number,
  number: number,
  tally: ReportsTally,
): Promise<void> {
  const { id } = await client.submit(submissions.image)
  const keys = parseKeys(system.secrets.fleet_keys)
  let model = NEW_JOB
  for (const delivery of makeDeliveries(randomOf(seed, number), id, account_id)) {
    const expected = applyDelivery(model, delivery)
    const answer = await send(system.api_url, delivery, keys)
    tally.sent += 1
    model = expected.job
    if (answer.status !== expected.answer.status || answer.continue !== expected.answer.continue)
      tally.violations.push(
        `${delivery.id}: ${JSON.stringify(answer)} instead of ${JSON.stringify(expected.answer)}`,
      )
  }
  const job = await client.job(id)
  const final_cost = model.status === 'done' ? 2 : 0
  if (job.status !== model.status || job.final_cost !== final_cost)
    tally.violations.push(`${id} is ${job.status} for ${job.final_cost} instead of ${model.status}`)
}

async function send(api_url: string, { id, report }: Delivery, keys: readonly string[]) {
  const body = JSON.stringify(report)
  const response = await fetch(`${api_url}${REPORTS.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signRequest(keys, REPORTS, { id, body }) },
    body,
  })
  const answer = (await response.json()) as { continue?: boolean }
  return { status: response.status, continue: answer.continue }
}
