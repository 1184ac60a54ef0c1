import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../edge/platform/database/client.ts'
import type { Client, Job } from '../client.ts'
import { runScheduled } from '../system/cron.ts'
import type { Ports } from '../system/ports.ts'

/** A system whose only customer is the account of the script. */
export interface CheckedSystem {
  ports: Ports
  db: Database
  client: Client
  account_id: number
  /** Credits of the account before its first job. */
  credits: number
}

const END_MS_MAX = 240_000

/** Runs the scheduled tasks, with everything due, until no job is open. */
export async function endAllJobs(context: CheckedSystem): Promise<void> {
  const { db, ports } = context
  const until = Date.now() + END_MS_MAX
  for (;;) {
    await db.$client.execute('UPDATE outbox SET due_at = 0')
    await runScheduled(ports).catch(() => undefined)
    const open = await countRows(context, "jobs WHERE status IN ('queued', 'processing')")
    if (open === 0) return
    if (Date.now() > until) throw new Error(`${open} jobs are stuck`)
    await delay(1000)
  }
}

/** Checks that nothing is lost and nothing is charged twice. */
export async function checkAll(
  context: CheckedSystem,
  accepted: string[],
  note: (text: string) => void,
): Promise<void> {
  const { client, db, account_id } = context
  const jobs = await Promise.all(accepted.map((id) => client.job(id).catch(() => null)))
  jobs.forEach((job, index) => {
    if (job === null) note(`job ${accepted[index]} is lost`)
    else checkJob(job, note)
  })
  const { ok } = await client.verifyLedger()
  if (!ok) note('the ledger is inconsistent')
  const sum = `SELECT sum(final_cost) AS cost FROM jobs WHERE account_id = ${account_id}`
  const [row] = (await db.$client.execute(sum)).rows
  const expected = context.credits - Number(row?.cost ?? 0)
  const balance = await client.balance()
  if (balance !== expected) note(`the balance is ${balance} instead of ${expected}`)
  const charges = await countRows(
    context,
    `(SELECT job_id FROM ledger WHERE job_id IS NOT NULL AND account_id = ${account_id}
      GROUP BY job_id HAVING count(*) > 1 AND sum(amount) <> 0)`,
  )
  if (charges > 0) note(`${charges} jobs are charged more than once`)
}

function checkJob({ id, status, error, final_cost }: Job, note: (text: string) => void): void {
  if (status !== 'done') note(`job ${id} is ${status}: ${error}`)
  else if (final_cost !== 2) note(`job ${id} cost ${final_cost}`)
}

export async function countRows({ db }: CheckedSystem, source: string): Promise<number> {
  const { rows } = await db.$client.execute(`SELECT count(*) AS total FROM ${source}`)
  return Number(rows[0]?.total)
}
