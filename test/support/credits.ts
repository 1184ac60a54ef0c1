import { expect } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { changeStatements, loadCredits } from '../../edge/credits/queries.ts'
import { charge, grant } from '../../edge/credits/rules/ledger.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'

/**
 * Raises an idle account's balance to `balance` with a grant that does not expire, like one from an administrator.
 */
export async function fillBalanceTo(
  database_url: string,
  account_id: number,
  balance: number,
): Promise<void> {
  const database = openDatabase(database_url, undefined)
  try {
    const { credits } = await loadCredits(database, account_id)
    const amount = balance - credits.balance
    if (amount <= 0) throw new Error(`The account already has ${credits.balance} credits.`)
    const change = grant(credits, {
      kind: 'adjust',
      amount,
      expires_at: null,
      cause: `test:${account_id}:${credits.sequence + 1}`,
    })
    await commit(database, changeStatements(database, account_id, change, Date.now()))
  } finally {
    database.$client.close()
  }
}

/** Reads each job's ledger amounts in order: [-2] is one charge, and [-2, 2] is a charge and its refund. */
async function amountsOf(client: Client): Promise<Map<string, number[]>> {
  const amounts = new Map<string, number[]>()
  for (const { job_id, amount } of (await client.ledger(500)).reverse()) {
    if (job_id !== null) amounts.set(job_id, [...(amounts.get(job_id) ?? []), amount])
  }
  return amounts
}

/**
 * Expects a consistent ledger that contains exactly these jobs. Each is charged its base price once, with no charge
 * for time because it ran for less than a minute. If it did not succeed, it is fully refunded once.
 */
export async function expectChargedOnce(client: Client, jobs: readonly Job[]): Promise<void> {
  expect(await client.verifyLedger()).toMatchObject({ ok: true })
  const expected = new Map(jobs.map(({ id, status }) => [id, status === 'done' ? [-2] : [-2, 2]]))
  expect(await amountsOf(client)).toEqual(expected)
  for (const job of jobs) expect(job.final_cost).toBe(job.status === 'done' ? 2 : 0)
}

/** Charges credits as jobs would, without running any jobs. */
export async function spendCredits(database_url: string, account_id: number, amount: number): Promise<void> {
  const database = openDatabase(database_url, undefined)
  try {
    const job_id = crypto.randomUUID()
    const { credits } = await loadCredits(database, account_id)
    const change = charge(credits, amount, { cause: `job:${job_id}:base`, job_id })
    if (change === null) throw new Error(`The account has only ${credits.balance} credits.`)
    await commit(database, changeStatements(database, account_id, change, Date.now()))
  } finally {
    database.$client.close()
  }
}
