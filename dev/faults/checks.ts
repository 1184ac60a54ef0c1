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

/** Longer than a job is silent before it is dispatched again. */
const END_MS_MAX = 240_000
/** The edge refuses more concurrent requests while its answers are slow. */
const READ_AT_ONCE = 8
const SCHEDULED_MS = 1000
const LOOK_MS = 50

/** Runs the scheduled tasks, with everything due, until no job is open. */
export async function endAllJobs(context: CheckedSystem): Promise<void> {
  const open = await endJobs(context, END_MS_MAX)
  if (open.length > 0) throw new Error(`${open.length} jobs are stuck, such as ${open[0]?.id}`)
}

interface OpenJob {
  id: string
  /** Nobody has reported on it or dispatched it again for minutes. */
  is_stuck: boolean
}

/** Runs the scheduled tasks, with everything due, until no job is open or the time limit is reached. Returns the open jobs. */
export async function endJobs({ db, ports }: CheckedSystem, ms_max: number): Promise<OpenJob[]> {
  const started_at = Date.now()
  for (let scheduled_at = 0; ; await delay(LOOK_MS)) {
    const sql = "SELECT id, heard_at FROM jobs WHERE status IN ('queued', 'processing')"
    const { rows } = await db.$client.execute(sql)
    const now = Date.now()
    if (rows.length === 0 || now > started_at + ms_max)
      return rows.map((row) => ({ id: String(row.id), is_stuck: Number(row.heard_at) < now - END_MS_MAX }))
    if (now < scheduled_at + SCHEDULED_MS) continue
    await db.$client.execute('UPDATE outbox SET due_at = 0')
    await runScheduled(ports).catch(() => undefined)
    scheduled_at = Date.now()
  }
}

/** Checks that nothing is lost and nothing is charged twice. */
export async function checkAll(
  context: CheckedSystem,
  accepted: string[],
  note: (text: string) => void,
): Promise<void> {
  const { client, db, account_id } = context
  for (let from = 0; from < accepted.length; from += READ_AT_ONCE) {
    await Promise.all(
      accepted.slice(from, from + READ_AT_ONCE).map(async (id) => {
        const job = await client.job(id).catch((error) => note(`job ${id} is lost: ${error}`))
        if (job) checkJob(job, note)
      }),
    )
  }
  const { ok } = await client.verifyLedger()
  if (!ok) note('the ledger is inconsistent')
  const sum = `SELECT sum(coalesce(final_cost, estimated_cost)) AS cost FROM jobs WHERE account_id = ${account_id}`
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
